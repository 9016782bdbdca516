package dev.hearth.yarn.internal.submission;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.yarn.internal.submission.YarnSubmissionEffect.Accept;
import dev.hearth.yarn.internal.submission.YarnSubmissionEffect.Create;
import dev.hearth.yarn.internal.submission.YarnSubmissionEffect.Fail;
import dev.hearth.yarn.internal.submission.YarnSubmissionEffect.Find;
import dev.hearth.yarn.internal.submission.YarnSubmissionEffect.Say;
import dev.hearth.yarn.internal.submission.YarnSubmissionEffect.Stage;
import dev.hearth.yarn.internal.submission.YarnSubmissionEffect.Submit;
import dev.hearth.yarn.internal.submission.YarnSubmissionEffect.Undo;
import dev.hearth.yarn.internal.submission.YarnSubmissionEffect.Watch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One submission. A state machine: nothing blocks; {@link YarnSubmissionShell} owns it and does what it orders, one thing
 * at a time. What a state has made is undone if the next one is not reached.
 */
final class YarnSubmission {
    /** Attempts to submit one application whose answers are lost, at most. */
    private static final int SUBMITS_MAX = 3;
    /** Submissions of an application whose files have vanished, at most. */
    private static final int STAGINGS_MAX = 2;

    /** States of a submission. */
    enum State {
        NEW,
        CHECKED,
        STAGED,
        SUBMITTED,
        WATCHED,
        UNDOING,
        FAILED;

        boolean leadsTo(State next) {
            return switch (this) {
                case NEW -> next == CHECKED || next == SUBMITTED || next == FAILED;
                case CHECKED -> next == STAGED || next == UNDOING;
                case STAGED -> next == SUBMITTED || next == UNDOING;
                case SUBMITTED -> next == WATCHED || next == UNDOING;
                case WATCHED -> next == UNDOING;
                case UNDOING -> next == NEW || next == FAILED;
                case FAILED -> false;
            };
        }
    }

    private final boolean mayBeRepeated;
    private final boolean waits;
    private State state = State.NEW;
    private String application = "";
    private int submits;
    private int stagings;
    private boolean accepted;
    private boolean stopped;
    private Optional<HearthException> failure = Optional.empty();

    /**
     * Submission that {@code waits} for the end of the application. If {@code mayBeRepeated}, an earlier request with the
     * same tag may have submitted it already.
     */
    YarnSubmission(boolean mayBeRepeated, boolean waits) {
        this.mayBeRepeated = mayBeRepeated;
        this.waits = waits;
    }

    State state() {
        return state;
    }

    List<YarnSubmissionEffect> begin() {
        return List.of(mayBeRepeated ? new Find() : new Create());
    }

    /** The cluster has the application {@code found} with the tag of this submission, or none. */
    List<YarnSubmissionEffect> found(Optional<String> found) {
        if (found.isPresent()) {
            application = found.get();
            return stopped && !accepted ? undo(stop(), true) : submitted();
        }
        if (state == State.NEW) {
            return stopped ? fail(stop()) : List.of(new Create());
        }
        if (stopped) {
            return undo(stop(), true);
        }
        return submits < SUBMITS_MAX
                ? submit()
                : undo(
                        ErrorCode.CLUSTER_UNREACHABLE.failure("submission of " + application
                                + ": the ResourceManager has not answered " + SUBMITS_MAX
                                + " times (expected: an answer); submit again"),
                        true);
    }

    /** The cluster has assigned {@code id}; {@code problems} say why the application cannot run there. */
    List<YarnSubmissionEffect> created(String id, List<String> problems) {
        if (stopped) {
            return fail(stop());
        }
        if (!problems.isEmpty()) {
            return fail(ErrorCode.SUBMISSION_REFUSED.failure(String.join("\n", problems)));
        }
        application = id;
        move(State.CHECKED);
        stagings++;
        return List.of(new Say("Application ID is assigned: " + id), new Stage(id, stagings > 1));
    }

    /** The files of the application are on the cluster. */
    List<YarnSubmissionEffect> staged() {
        if (stopped) {
            return undo(stop(), false);
        }
        move(State.STAGED);
        submits = 0;
        List<YarnSubmissionEffect> effects = new ArrayList<>();
        effects.add(new Say("Submitting application " + application + " to ResourceManager"));
        effects.addAll(submit());
        return effects;
    }

    private List<YarnSubmissionEffect> submit() {
        submits++;
        return List.of(new Submit(application));
    }

    /** The cluster has the application. */
    List<YarnSubmissionEffect> submitted() {
        if (stopped && !accepted) {
            return undo(stop(), true);
        }
        move(State.SUBMITTED);
        List<YarnSubmissionEffect> effects = new ArrayList<>();
        effects.add(new Say("Submitted application " + application));
        effects.add(new Accept(application));
        accepted = true;
        if (waits) {
            move(State.WATCHED);
            effects.add(new Watch(application));
        }
        return effects;
    }

    /** Whether a failed submission might have reached the cluster decides what follows. */
    List<YarnSubmissionEffect> submitFailed(HearthException why, boolean answerLost) {
        return answerLost ? List.of(new Find()) : undo(why, false);
    }

    /** A step before the submission has failed. */
    List<YarnSubmissionEffect> failed(HearthException why) {
        return switch (state) {
            case NEW -> fail(why);
            case CHECKED, STAGED -> undo(why, state == State.STAGED);
            case UNDOING -> fail(why);
            case SUBMITTED, WATCHED, FAILED -> throw new IllegalStateException("failure in state " + state);
        };
    }

    /**
     * A node has not found a file of the application, which is therefore over. Returns nothing if it was staged often
     * enough, so that this is its end.
     */
    Optional<List<YarnSubmissionEffect>> filesVanished() {
        if (state != State.WATCHED || stagings >= STAGINGS_MAX || stopped) {
            return Optional.empty();
        }
        failure = Optional.empty();
        move(State.UNDOING);
        return Optional.of(List.of(
                new Say("files of " + application + " have vanished from the store: they are uploaded again"),
                new Undo(application, false)));
    }

    /** Handles the end of an undo. */
    List<YarnSubmissionEffect> undone() {
        if (failure.isPresent()) {
            return fail(failure.get());
        }
        if (stopped && !accepted) {
            return fail(stop());
        }
        move(State.NEW);
        return List.of(new Create());
    }

    /** The user does not want the submission any more. The step that is under way ends first. */
    void stopping() {
        stopped = true;
    }

    private static HearthException stop() {
        return ErrorCode.SUBMISSION_REFUSED.failure(
                "submission: ended by the user before the cluster accepted it (expected: a wait); nothing is left of it");
    }

    private List<YarnSubmissionEffect> undo(HearthException why, boolean kill) {
        failure = Optional.of(why);
        if (state == State.NEW) { // found by its tag
            move(State.CHECKED);
        }
        move(State.UNDOING);
        return List.of(new Undo(application, kill));
    }

    private List<YarnSubmissionEffect> fail(HearthException why) {
        move(State.FAILED);
        return List.of(new Fail(why));
    }

    private void move(State next) {
        if (!state.leadsTo(next)) {
            throw new IllegalStateException(
                    "submission " + application + " in state " + state + " (expected: one that leads to " + next + ")");
        }
        state = next;
    }
}
