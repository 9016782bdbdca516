package dev.hearth.yarn.internal.submission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.yarn.internal.submission.YarnSubmission.State;
import dev.hearth.yarn.internal.submission.YarnSubmissionEffect.Accept;
import dev.hearth.yarn.internal.submission.YarnSubmissionEffect.Create;
import dev.hearth.yarn.internal.submission.YarnSubmissionEffect.Fail;
import dev.hearth.yarn.internal.submission.YarnSubmissionEffect.Find;
import dev.hearth.yarn.internal.submission.YarnSubmissionEffect.Say;
import dev.hearth.yarn.internal.submission.YarnSubmissionEffect.Stage;
import dev.hearth.yarn.internal.submission.YarnSubmissionEffect.Submit;
import dev.hearth.yarn.internal.submission.YarnSubmissionEffect.Undo;
import dev.hearth.yarn.internal.submission.YarnSubmissionEffect.Watch;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class YarnSubmissionTest {
    private static final String ID = "application_1_0001";

    private final YarnSubmission submission = new YarnSubmission(false, true);

    private void reachStaged() {
        submission.begin();
        submission.created(ID, List.of());
        submission.staged();
    }

    @Test
    void goesFromStepToStep() {
        assertEquals(List.of(new Create()), submission.begin());
        assertEquals(
                List.of(new Say("Application ID is assigned: " + ID), new Stage(ID, false)),
                submission.created(ID, List.of()));
        assertEquals(
                List.of(new Say("Submitting application " + ID + " to ResourceManager"), new Submit(ID)),
                submission.staged());
        assertEquals(
                List.of(new Say("Submitted application " + ID), new Accept(ID), new Watch(ID)), submission.submitted());
        assertEquals(State.WATCHED, submission.state());
    }

    @Test
    void doesNotWatchWithoutAWait() {
        YarnSubmission brief = new YarnSubmission(false, false);
        brief.begin();
        brief.created(ID, List.of());
        brief.staged();
        assertEquals(List.of(new Say("Submitted application " + ID), new Accept(ID)), brief.submitted());
        assertEquals(State.SUBMITTED, brief.state());
    }

    @Test
    void uploadsNothingIfTheClusterCannotRunTheApplication() {
        submission.begin();
        List<YarnSubmissionEffect> effects = submission.created(ID, List.of("too large", "no queue"));
        Fail fail = (Fail) effects.get(0);
        assertEquals(1, effects.size());
        assertEquals("SUBMISSION_REFUSED", fail.why().code());
        assertTrue(fail.why().getMessage().contains("too large\nno queue"));
    }

    @Test
    void looksForTheApplicationWhenTheAnswerIsLost() {
        reachStaged();
        assertEquals(List.of(new Find()), submission.submitFailed(ErrorCode.INTERNAL.failure("reset"), true));
        List<YarnSubmissionEffect> effects = submission.found(Optional.of(ID));
        assertTrue(effects.contains(new Accept(ID)), effects::toString);
    }

    @Test
    void submitsAgainIfItIsNotThereAndGivesUpAfterThreeTimes() {
        reachStaged();
        for (int i = 0; i < 2; i++) {
            submission.submitFailed(ErrorCode.INTERNAL.failure("reset"), true);
            assertEquals(List.of(new Submit(ID)), submission.found(Optional.empty()));
        }
        submission.submitFailed(ErrorCode.INTERNAL.failure("reset"), true);
        assertEquals(List.of(new Undo(ID, true)), submission.found(Optional.empty()));
        Fail fail = (Fail) submission.undone().get(0);
        assertEquals("CLUSTER_UNREACHABLE", fail.why().code());
    }

    @Test
    void removesItsFilesWhenTheClusterRefuses() {
        reachStaged();
        assertEquals(
                List.of(new Undo(ID, false)),
                submission.submitFailed(ErrorCode.SUBMISSION_REFUSED.failure("unknown queue"), false));
        assertTrue(((Fail) submission.undone().get(0)).why().getMessage().contains("unknown queue"));
        assertEquals(State.FAILED, submission.state());
    }

    @Test
    void removesWhatItStagedWhenStagingFails() {
        submission.begin();
        submission.created(ID, List.of());
        assertEquals(List.of(new Undo(ID, false)), submission.failed(ErrorCode.STORE_FULL.failure("quota")));
        assertEquals("STORE_FULL", ((Fail) submission.undone().get(0)).why().code());
    }

    @Test
    void undoesWhatIsUnderWayWhenTheUserEndsIt() {
        submission.begin();
        submission.created(ID, List.of());
        submission.stopping();
        assertEquals(List.of(new Undo(ID, false)), submission.staged());
        assertEquals(
                "SUBMISSION_REFUSED", ((Fail) submission.undone().get(0)).why().code());
    }

    @Test
    void killsAnApplicationThatIsSubmittedWhileTheUserEndsIt() {
        reachStaged();
        submission.stopping();
        assertEquals(List.of(new Undo(ID, true)), submission.submitted());
    }

    @Test
    void stagesOnceMoreWhenFilesHaveVanished() {
        reachStaged();
        submission.submitted();
        assertTrue(submission.filesVanished().orElseThrow().contains(new Undo(ID, false)));
        assertEquals(List.of(new Create()), submission.undone());
        String second = "application_1_0002";
        assertTrue(submission.created(second, List.of()).contains(new Stage(second, true)));
        submission.staged();
        submission.submitted();
        assertEquals(Optional.empty(), submission.filesVanished());
    }

    @Test
    void adoptsTheApplicationOfAnEarlierRequest() {
        YarnSubmission again = new YarnSubmission(true, true);
        assertEquals(List.of(new Find()), again.begin());
        assertTrue(again.found(Optional.of(ID)).contains(new Watch(ID)));
        YarnSubmission first = new YarnSubmission(true, true);
        first.begin();
        assertEquals(List.of(new Create()), first.found(Optional.empty()));
    }
}
