package dev.hearth.kubernetes.internal.submission;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import dev.hearth.kubernetes.internal.placement.Placement;
import dev.hearth.kubernetes.internal.placement.Words;
import dev.hearth.kubernetes.internal.submission.SubmissionEffect.RequestKind;
import dev.hearth.spi.error.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Creation of the objects of one submission, and their deletion if it fails. A state machine without clock and threads,
 * owned by {@link SubmissionShell}. Invariants: the driver's pod exists only while its secret does or did; at any time, at
 * most the secret, and what it owns, is without an owner that lives.
 */
final class Submission {
    /** Time within which a cancelled submission deletes what it created. */
    static final Duration UNDO_BOUND = Duration.ofSeconds(8);

    /** Time after which a request without an answer is sent again while what was created is deleted. */
    private static final Duration UNDO_PATIENCE = Duration.ofSeconds(2);

    private static final Duration ADOPTION_BOUND = Duration.ofSeconds(10);
    private static final int ADOPTIONS_MAX = 5;
    private static final Duration PAUSE_LEAST = Duration.ofMillis(200);
    private static final Duration PAUSE_MOST = Duration.ofSeconds(5);
    private static final Duration QUOTA_PAUSE = Duration.ofSeconds(1);

    /** Requests that may be sent twice at a time. A second creation could come after the deletion. */
    private static final Set<RequestKind> UNDOING_REQUESTS = EnumSet.of(
            RequestKind.CANCEL, RequestKind.READ_DRIVER, RequestKind.DELETE_DRIVER, RequestKind.DELETE_SECRET);

    private final Names names;
    private final Times times;
    private final Set<RequestKind> dependents;
    private final List<String> claims;
    private final List<SubmissionEffect> effects = new ArrayList<>();
    private final Map<RequestKind, Repetition> repetitions = new EnumMap<>(RequestKind.class);
    private State state = State.PREPARED;
    private String secretUid = "";
    private String podUid = "";
    private int claimsPlaced;
    private boolean podUnsure;
    private boolean secretUnsure;
    private long endNanos;
    private long quotaEndNanos;
    private boolean quotaTold;
    private ErrorCode failure = ErrorCode.SUBMISSION_REFUSED;
    private String reason = "";
    private long now; // set on entry

    /** State of a submission. */
    enum State {
        PREPARED,
        PLACING_SECRET,
        PLACING_CLAIMS,
        PLACING_DRIVER,
        ADOPTING,
        ACCEPTED,
        UNDOING,
        REFUSED;

        /** Whether {@code next} may follow. */
        boolean leadsTo(State next) {
            return switch (this) {
                case PREPARED -> next == PLACING_SECRET || next == REFUSED;
                case PLACING_SECRET ->
                    next == PLACING_CLAIMS || next == PLACING_DRIVER || next == UNDOING || next == REFUSED;
                case PLACING_CLAIMS -> next == PLACING_DRIVER || next == UNDOING;
                case PLACING_DRIVER -> next == ADOPTING || next == UNDOING;
                case ADOPTING -> next == ACCEPTED || next == UNDOING;
                case UNDOING -> next == REFUSED;
                case ACCEPTED, REFUSED -> false;
            };
        }
    }

    /** Names for messages: the namespace, the secret and the driver's pod; and the nonce of the submission. */
    record Names(String namespace, String secret, String pod, String nonce) {}

    /** Time for the creation of the objects, and for the wait for a quota, which may be zero. */
    record Times(Duration submission, Duration quota) {}

    /** Request that is repeated, with its next pause; it is due if {@code dueNanos} has come and it is not under way. */
    private static final class Repetition {
        private Duration pause = PAUSE_LEAST;
        private int attempts = 1;
        private boolean authenticatedAgain;
        private boolean underWay;
        private long sentNanos;
        private boolean waiting;
        private long dueNanos;
    }

    /**
     * Submission with these names. {@code claims} are the names of the claims that the driver's pod needs, {@code dependents}
     * the requests for further objects, without which it may do.
     */
    Submission(Names names, Times times, List<String> claims, Set<RequestKind> dependents) {
        this.names = names;
        this.times = times;
        this.claims = List.copyOf(claims);
        this.dependents = dependents.isEmpty() ? EnumSet.noneOf(RequestKind.class) : EnumSet.copyOf(dependents);
    }

    State state() {
        return state;
    }

    /** The uid of the secret, once it exists. */
    String secretUid() {
        return secretUid;
    }

    String podUid() {
        return podUid;
    }

    /** Number of claims that exist; it is also the index of the next one. */
    int claimsPlaced() {
        return claimsPlaced;
    }

    List<SubmissionEffect> begin(long at) {
        now = at;
        endNanos = now + times.submission().toNanos();
        move(State.PLACING_SECRET);
        send(RequestKind.CREATE_SECRET);
        return drain();
    }

    /** Ends the submission for its user. An accepted submission goes on without it. */
    List<SubmissionEffect> stop(long at) {
        now = at;
        switch (state) {
            case PREPARED -> refuse(ErrorCode.SUBMISSION_REFUSED, "stopped before anything was created");
            case PLACING_SECRET, PLACING_CLAIMS, PLACING_DRIVER, ADOPTING ->
                undo(ErrorCode.SUBMISSION_REFUSED, "stopped before the cluster had accepted it");
            case ACCEPTED, UNDOING, REFUSED -> {
                // it goes on, or ends already
            }
        }
        return drain();
    }

    List<SubmissionEffect> wake(long at) {
        now = at;
        if (state == State.UNDOING && now - endNanos >= 0) {
            leave("");
        }
        repetitions.forEach((kind, repetition) -> {
            boolean due = repetition.waiting && now - repetition.dueNanos >= 0;
            boolean late = state == State.UNDOING
                    && UNDOING_REQUESTS.contains(kind)
                    && repetition.underWay
                    && now - repetition.sentNanos - UNDO_PATIENCE.toNanos() >= 0;
            if (due || late) {
                repetition.waiting = false;
                sent(kind, repetition);
            }
        });
        return drain();
    }

    /** Handles the answer to the latest request of {@code kind}. */
    List<SubmissionEffect> answered(RequestKind kind, Answer answer, long at) {
        now = at;
        if (state == State.REFUSED) {
            return List.of(); // too late: what it has created is left to the sweep
        }
        repetition(kind).underWay = false;
        switch (kind) {
            case CREATE_SECRET -> secretAnswered(answer);
            case CREATE_CLAIM -> claimAnswered(answer);
            case CREATE_DRIVER -> driverAnswered(answer);
            case CREATE_SERVICE, CREATE_POLICY -> dependentAnswered(kind, answer);
            case ADOPT -> adoptionAnswered(answer);
            case READ_DRIVER -> driverRead(answer);
            case DELETE_DRIVER -> driverDeleted(answer);
            case CANCEL -> cancelled(answer);
            case DELETE_SECRET -> secretDeleted(answer);
        }
        return drain();
    }

    private void secretAnswered(Answer answer) {
        Optional<ObjectFacts> placed = placed(answer);
        if (placed.isPresent()) {
            secretUid = placed.get().uid();
            secretUnsure = false;
            if (state == State.UNDOING) {
                undoStep();
            } else {
                placeNext(); // first, on the connection that is open
                dependents.forEach(this::send);
            }
        } else if (state == State.UNDOING) {
            secretUnsure |= answer instanceof Answer.Unknown;
            if (secretUnsure) {
                again(RequestKind.CREATE_SECRET, answer); // the only way to learn its uid
            } else {
                refuse(failure, reason);
            }
        } else if (isFinal(RequestKind.CREATE_SECRET, answer)) {
            secretUnsure |= answer instanceof Answer.Unknown;
            fail("secret " + names.secret(), answer, secretUnsure);
        } else {
            secretUnsure |= answer instanceof Answer.Unknown;
            again(RequestKind.CREATE_SECRET, answer);
        }
    }

    /** Creates the next claim, or the driver's pod once there are all. */
    private void placeNext() {
        if (claimsPlaced < claims.size()) {
            if (state == State.PLACING_SECRET) {
                move(State.PLACING_CLAIMS);
            }
            send(RequestKind.CREATE_CLAIM);
        } else {
            move(State.PLACING_DRIVER);
            quotaEndNanos = now + times.quota().toNanos();
            send(RequestKind.CREATE_DRIVER);
        }
    }

    private void claimAnswered(Answer answer) {
        if (state != State.PLACING_CLAIMS) {
            return; // the cluster deletes it with the secret
        }
        if (placed(answer).isPresent()) {
            claimsPlaced++;
            placeNext();
        } else if (isFinal(RequestKind.CREATE_CLAIM, answer)) {
            fail("claim " + claims.get(claimsPlaced), answer, false);
        } else {
            again(RequestKind.CREATE_CLAIM, answer);
        }
    }

    private void driverAnswered(Answer answer) {
        Optional<ObjectFacts> placed = placed(answer);
        if (placed.isPresent()) {
            podUid = placed.get().uid();
            podUnsure = false;
            if (state == State.UNDOING) {
                undoStep();
            } else {
                move(State.ADOPTING);
                endNanos = now + ADOPTION_BOUND.toNanos();
                send(RequestKind.ADOPT);
            }
            return;
        }
        boolean unknown = answer instanceof Answer.Unknown;
        podUnsure |= unknown;
        if (state == State.UNDOING) {
            undoStep();
        } else if (isQuota(answer) && now - quotaEndNanos < 0) {
            if (!quotaTold) {
                quotaTold = true;
                effects.add(new SubmissionEffect.Warn("the driver's pod waits for a quota: " + Words.of(answer)));
            }
            repeat(RequestKind.CREATE_DRIVER, QUOTA_PAUSE);
            endNanos = now + times.submission().toNanos();
        } else if (isFinal(RequestKind.CREATE_DRIVER, answer)) {
            fail("pod " + names.pod(), answer, podUnsure);
        } else {
            again(RequestKind.CREATE_DRIVER, answer);
        }
    }

    private void dependentAnswered(RequestKind kind, Answer answer) {
        if (placed(answer).isPresent() || state == State.UNDOING || state == State.REFUSED) {
            return; // the cluster deletes it with the secret
        }
        if (isFinal(kind, answer) || state == State.ACCEPTED) {
            String object = kind == RequestKind.CREATE_SERVICE ? "service" : "network policy";
            effects.add(new SubmissionEffect.Warn("the " + object + " of the application is not created: "
                    + Words.of(answer) + "; it is not needed to run"));
        } else {
            again(kind, answer);
        }
    }

    private void adoptionAnswered(Answer answer) {
        if (state == State.UNDOING) {
            undoStep();
            return;
        }
        if (answer instanceof Answer.Done) {
            accept();
            return;
        }
        Repetition repetition = repetition(RequestKind.ADOPT);
        if (repetition.attempts >= ADOPTIONS_MAX || now - endNanos >= 0 || isDenied(answer)) {
            effects.add(new SubmissionEffect.Warn("secret " + names.secret() + " has no owner yet: " + Words.of(answer)
                    + "; the driver takes it when it starts"));
            accept();
        } else {
            again(RequestKind.ADOPT, answer);
        }
    }

    private void accept() {
        move(State.ACCEPTED);
        effects.add(new SubmissionEffect.Accepted(podUid));
    }

    private void driverRead(Answer answer) {
        if (answer instanceof Answer.Done done && done.object().isPresent()) {
            ObjectFacts found = done.object().get();
            if (isOurs(found)) {
                podUid = found.uid();
                podUnsure = false;
            }
            send(isOurs(found) ? RequestKind.DELETE_DRIVER : RequestKind.DELETE_SECRET);
        } else if (answer instanceof Answer.Missing) {
            leave(""); // the request for the pod may still arrive, so the secret has to stay
        } else {
            again(RequestKind.READ_DRIVER, answer);
        }
    }

    private void driverDeleted(Answer answer) {
        if (isGone(answer)) {
            send(RequestKind.DELETE_SECRET);
        } else if (isDenied(answer)) {
            leave(": " + Words.of(answer));
        } else {
            again(RequestKind.DELETE_DRIVER, answer);
        }
    }

    private void cancelled(Answer answer) {
        if (answer instanceof Answer.Done || answer instanceof Answer.Missing || isDenied(answer)) {
            send(podUid.isEmpty() ? RequestKind.READ_DRIVER : RequestKind.DELETE_DRIVER);
        } else {
            again(RequestKind.CANCEL, answer);
        }
    }

    private void secretDeleted(Answer answer) {
        if (isGone(answer)) {
            refuse(failure, reason + "; what it had created is deleted");
        } else if (isDenied(answer)) {
            leave(": " + Words.of(answer));
        } else {
            again(RequestKind.DELETE_SECRET, answer);
        }
    }

    private void fail(String object, Answer answer, boolean unsure) {
        ErrorCode code =
                answer instanceof Answer.Refused ? ErrorCode.SUBMISSION_REFUSED : ErrorCode.CLUSTER_UNREACHABLE;
        String words =
                object + " in namespace " + names.namespace() + ": not created: " + Words.of(answer) + remedy(answer);
        if (state == State.PLACING_SECRET && !unsure) {
            refuse(code, words);
        } else {
            undo(code, words);
        }
    }

    private void undo(ErrorCode code, String words) {
        failure = code;
        reason = words;
        move(State.UNDOING);
        endNanos = now + UNDO_BOUND.toNanos();
        effects.add(new SubmissionEffect.Wake(UNDO_BOUND));
        effects.add(new SubmissionEffect.Wake(UNDO_PATIENCE));
        repetitions.values().forEach(repetition -> repetition.waiting = false);
        if (isUnderWay(RequestKind.CREATE_SECRET)
                || isUnderWay(RequestKind.CREATE_DRIVER)
                || isUnderWay(RequestKind.ADOPT)) {
            return; // the answer goes on
        }
        if (!secretUid.isEmpty()) {
            undoStep();
        } else if (secretUnsure) {
            send(RequestKind.CREATE_SECRET);
        } else {
            refuse(failure, reason);
        }
    }

    /** Deletes the driver's pod, then the secret. The mark on the secret comes first, in case this process ends. */
    private void undoStep() {
        send(podUid.isEmpty() && !podUnsure ? RequestKind.DELETE_SECRET : RequestKind.CANCEL);
    }

    /** Ends with objects that may be left. */
    private void leave(String why) {
        refuse(
                failure,
                reason + "; secret " + names.secret() + " and pod " + names.pod() + " in namespace " + names.namespace()
                        + " may be left" + why + "; end the driver with submit --kill " + names.namespace() + ":"
                        + names.pod()
                        + ", and the sweep of a later submission deletes the rest");
    }

    private void refuse(ErrorCode code, String words) {
        move(State.REFUSED);
        repetitions.clear();
        effects.add(new SubmissionEffect.Refused(code, words));
    }

    private Optional<ObjectFacts> placed(Answer answer) {
        if (answer instanceof Answer.Done done) {
            return done.object();
        }
        return answer instanceof Answer.Exists exists && isOurs(exists.object())
                ? Optional.of(exists.object())
                : Optional.empty();
    }

    private boolean isOurs(ObjectFacts object) {
        return object.label(Placement.NONCE).equals(names.nonce());
    }

    /** Whether the request is not repeated after {@code answer}. */
    private boolean isFinal(RequestKind kind, Answer answer) {
        if (answer instanceof Answer.Refused refused) {
            Repetition repetition = repetition(kind);
            boolean again = refused.kind() == RefusalKind.UNAUTHENTICATED
                    ? !repetition.authenticatedAgain
                    : refused.kind().isTransient() && refused.kind() != RefusalKind.QUOTA;
            repetition.authenticatedAgain |= refused.kind() == RefusalKind.UNAUTHENTICATED;
            return !again || now - endNanos >= 0;
        }
        return !(answer instanceof Answer.Unknown) || now - endNanos >= 0;
    }

    private static boolean isQuota(Answer answer) {
        return answer instanceof Answer.Refused refused && refused.kind() == RefusalKind.QUOTA;
    }

    /** Whether there is no object with that uid any more. */
    private static boolean isGone(Answer answer) {
        return answer instanceof Answer.Done
                || answer instanceof Answer.Missing
                || (answer instanceof Answer.Refused refused && refused.kind() == RefusalKind.CONFLICT);
    }

    private static boolean isDenied(Answer answer) {
        return answer instanceof Answer.Refused refused && refused.kind() == RefusalKind.DENIED;
    }

    private static String remedy(Answer answer) {
        return isDenied(answer) ? "; give the account the role that docs/kubernetes.md names for submitters" : "";
    }

    private void send(RequestKind kind) {
        Repetition repetition = new Repetition();
        repetitions.put(kind, repetition);
        sent(kind, repetition);
    }

    private void sent(RequestKind kind, Repetition repetition) {
        repetition.underWay = true;
        repetition.sentNanos = now;
        effects.add(new SubmissionEffect.Send(kind));
        if (state == State.UNDOING) {
            effects.add(new SubmissionEffect.Wake(UNDO_PATIENCE)); // the request is then sent once more
        }
    }

    private void again(RequestKind kind, Answer answer) {
        Repetition repetition = repetition(kind);
        Duration demanded = answer instanceof Answer.Refused refused ? refused.retryAfter() : Duration.ZERO;
        Duration pause = demanded.compareTo(repetition.pause) > 0 ? demanded : repetition.pause;
        Duration longer = repetition.pause.multipliedBy(2);
        repetition.pause = longer.compareTo(PAUSE_MOST) > 0 ? PAUSE_MOST : longer;
        repeat(kind, pause);
    }

    private void repeat(RequestKind kind, Duration pause) {
        Repetition repetition = repetition(kind);
        repetition.attempts++;
        repetition.waiting = true;
        repetition.dueNanos = now + pause.toNanos();
        effects.add(new SubmissionEffect.Wake(pause));
    }

    private boolean isUnderWay(RequestKind kind) {
        Repetition repetition = repetitions.get(kind);
        return repetition != null && repetition.underWay;
    }

    private Repetition repetition(RequestKind kind) {
        return repetitions.computeIfAbsent(kind, any -> new Repetition());
    }

    private void move(State next) {
        if (!state.leadsTo(next)) {
            throw new IllegalStateException("submission " + names.pod() + ": " + next + " after " + state
                    + " (expected: a state that may follow)");
        }
        state = next;
    }

    private List<SubmissionEffect> drain() {
        List<SubmissionEffect> drained = List.copyOf(effects);
        effects.clear();
        return drained;
    }
}
