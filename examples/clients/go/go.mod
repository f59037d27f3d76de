module example.org/fieldbook-client

go 1.19
