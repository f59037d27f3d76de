// Creates, lists, updates, undoes and mends an investigation, and makes and visits a link to it, with generated types.
//
//	client ADDRESS TOKEN
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"example.org/fieldbook-client/fieldbook"
)

func check(condition bool, what string) {
	if !condition {
		fail(errors.New("wrong: " + what))
	}
}

func fail(err error) {
	var refused *fieldbook.GenericOpenAPIError
	if errors.As(err, &refused) {
		fmt.Fprintf(os.Stderr, "%s\n", refused.Body())
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// ok returns an answer, or ends the program with the error.
func ok[Answer any](answer *Answer, err error) *Answer {
	if err != nil {
		fail(err)
	}
	return answer
}

func main() {
	check(len(os.Args) == 3, "client ADDRESS TOKEN")
	configuration := fieldbook.NewConfiguration()
	configuration.Servers = fieldbook.ServerConfigurations{{URL: os.Args[1]}}
	configuration.AddDefaultHeader("Authorization", "Bearer "+os.Args[2])
	client := fieldbook.NewAPIClient(configuration)
	ctx := context.Background()

	lesson := fieldbook.NewInvestigationBody()
	lesson.SetTitle("Cress in Go")
	lesson.SetDurationMinutes(40)
	sow, water := fieldbook.NewContentStepsItem("Sow the cress"), fieldbook.NewContentStepsItem("Water it")
	sow.SetMinutes(30)
	water.SetMinutes(20)
	lesson.SetSteps([]fieldbook.ContentStepsItem{*sow, *water})
	lesson.AdditionalProperties = map[string]interface{}{"station": "B12"} // a field that the schema does not name
	created, response, err := client.InvestigationAPI.CreateInvestigation(ctx).InvestigationBody(*lesson).Execute()
	investigation := ok(created, err).GetData()
	id := investigation.GetId()
	check(response.Header.Get("Location") == "/api/investigation/"+id, "Location")
	check(investigation.GetTitle() == "Cress in Go", "the title")
	check(len(investigation.GetSteps()) == 2 && investigation.GetSteps()[1].GetMinutes() == 20, "the steps")
	check(investigation.AdditionalProperties["station"] == "B12", "a field of its own")
	check(investigation.GetStatus() == fieldbook.STATUS_DRAFT_INCOMPLETE, "the status")
	check(investigation.GetContradictions()[0].GetFieldName() == "durationMinutes", "the contradiction")

	statuses := []fieldbook.Status{fieldbook.STATUS_DRAFT_INCOMPLETE, fieldbook.STATUS_PUBLISHED}
	listed, _, err := client.InvestigationAPI.GetInvestigations(ctx).Status(statuses).Fields([]string{"title"}).Execute()
	list := ok(listed, err).GetData()
	check(list.Items[0].GetId() == id && list.Items[0].GetTitle() == "Cress in Go", "the row")
	check(!list.Items[0].HasSteps(), "the fields of the row")

	patch := fieldbook.NewInvestigationPatch()
	patch.SetTitle("Garden cress")
	patch.SetGroupSize(2)
	patch.SetDurationMinutesNil()
	update := client.InvestigationAPI.UpdateInvestigation(ctx, id).IfMatch(response.Header.Get("ETag"))
	updated, _, err := update.InvestigationPatch(*patch).Execute()
	changed := ok(updated, err).GetUpdatedInvestigation()
	check(changed.GetTitle() == "Garden cress" && !changed.HasDurationMinutes(), "the update")

	back, _, err := client.InvestigationAPI.UndoInvestigation(ctx, id).Execute()
	undone := ok(back, err).GetData()
	check(undone.GetTitle() == "Cress in Go" && undone.GetDurationMinutes() == 40 && !undone.HasGroupSize(), "undo")
	check(undone.AdditionalProperties["station"] == "B12", "a field of its own after undo")

	field := fieldbook.NewFieldNameBody("durationMinutes")
	mended, _, err := client.InvestigationAPI.ResolveContradiction(ctx, id).FieldNameBody(*field).Execute()
	resolved := ok(mended, err).GetData()
	left := resolved.GetInvestigation()
	check(len(left.GetContradictions()) == 0, "resolve")

	body := fieldbook.NewLinkBody("clients", "")
	body.SetShows(fieldbook.SHOWS_HANDOUT)
	made, _, err := client.LinkAPI.CreateLink(ctx, id).LinkBody(*body).Execute()
	link := ok(made, err).GetData()
	visited, _, err := client.LinkAPI.ResolveLink(ctx, link.GetKey(), link.GetSubLink()).Execute()
	visit := ok(visited, err).GetData()
	check(visit.GetInvestigationId() == id && visit.GetVisitCount() == 1, "the visit")
	own, _, err := client.LinkAPI.ListOwnLinks(ctx).Limit(1).Execute()
	check(ok(own, err).GetData()[0].GetId() == link.GetId(), "the own link")

	_, response, err = client.LinkAPI.ResolveLink(ctx, "clients", "none").Execute()
	check(err != nil && response.StatusCode == 404, "the error")
	var refused *fieldbook.GenericOpenAPIError
	check(errors.As(err, &refused), "an error of the service")
	var answer fieldbook.ErrorBody
	check(json.Unmarshal(refused.Body(), &answer) == nil, "the body of an error")
	check(answer.Code == fieldbook.ERRORCODE_LINK_NOT_FOUND, "the code")
	deleted, _, err := client.InvestigationAPI.DeleteInvestigation(ctx, id).Execute()
	ok(deleted, err)
	fmt.Println("go: all answers are right")
}
