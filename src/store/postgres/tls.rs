//! TLS with rustls. Certificates are checked as strictly as `sslmode` requires.

use std::path::Path;
use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::address::{Address, Tls};
use crate::store::OpenError;

/// Creates the TLS connector for the servers of this address.
///
/// # Errors
/// [`OpenError`] if the trusted certificates cannot be read.
pub fn connector(address: &Address) -> Result<MakeRustlsConnect, OpenError> {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let failed = |e: Error| OpenError(format!("cannot set up TLS: {e}"));
    let builder = ClientConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()
        .map_err(failed)?
        .dangerous();
    let checks_signer = match address.tls {
        Tls::Disable | Tls::Prefer => false,
        Tls::Require => address.root_certificates.is_some(),
        Tls::VerifyCa | Tls::VerifyFull => true,
    };
    let signers = checks_signer.then(|| verifier(address, &provider)).transpose()?;
    let verifier = Verifier { signers, checks_host: address.tls == Tls::VerifyFull, provider };
    let config = builder.with_custom_certificate_verifier(Arc::new(verifier)).with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

fn verifier(address: &Address, provider: &Arc<CryptoProvider>) -> Result<Arc<WebPkiServerVerifier>, OpenError> {
    let roots = match &address.root_certificates {
        Some(file) => from_file(file)?,
        None => of_the_system()?,
    };
    WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider.clone())
        .build()
        .map_err(|e| OpenError(format!("cannot check certificates of the database: {e}")))
}

fn from_file(file: &Path) -> Result<RootCertStore, OpenError> {
    let shown = file.display();
    let unread = |e: String| OpenError(format!("cannot read the certificates in {shown}: {e}; check sslrootcert"));
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(file).map_err(|e| unread(e.to_string()))? {
        roots.add(certificate.map_err(|e| unread(e.to_string()))?).map_err(|e| unread(e.to_string()))?;
    }
    if roots.is_empty() { Err(unread("there is none".into())) } else { Ok(roots) }
}

fn of_the_system() -> Result<RootCertStore, OpenError> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        return Err(OpenError(
            "this machine trusts no certificates; install them (ca-certificates), or name a file with sslrootcert"
                .into(),
        ));
    }
    Ok(roots)
}

#[derive(Debug)]
struct Verifier {
    /// Checks who signed a certificate. `None` for no check: the connection is encrypted, but the server may be anyone.
    signers: Option<Arc<WebPkiServerVerifier>>,
    checks_host: bool,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        between: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(signers) = &self.signers else { return Ok(ServerCertVerified::assertion()) };
        match signers.verify_server_cert(certificate, between, name, ocsp, now) {
            // The verifier checks the signers before the host name. So an error about the name means that all other
            // checks passed.
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if !self.checks_host => Ok(ServerCertVerified::assertion()),
            other => other,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signature, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signature, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
