package dev.hearth.kubernetes.internal.executors;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.spi.error.ErrorCode;
import java.time.Duration;
import java.util.Optional;

/**
 * Requests for pods, or for claims of volumes, that fail: which of them end the application, and what the user reads meanwhile. A state machine
 * without a clock, owned by {@link PodAllocator}.
 */
final class CreationFailures {
    private static final Duration FAILING_MAX = Duration.ofMinutes(10);
    private static final int SAME_REFUSALS_MAX = 3;
    private static final Duration THROTTLED_MAX = Duration.ofSeconds(10); // then the user is informed

    private final Hindrances hindrances;
    private final Hindrances.Source source;
    private final String objects; // for messages
    private boolean anyCreated;
    private boolean failing;
    private long failingNanos; // since when no request succeeded
    private String refusal = ""; // of an object that the server does not admit
    private int sameRefusals;

    private CreationFailures(Hindrances hindrances, Hindrances.Source source, String objects) {
        this.hindrances = hindrances;
        this.source = source;
        this.objects = objects;
    }

    static CreationFailures ofPods(Hindrances hindrances) {
        return new CreationFailures(hindrances, Hindrances.Source.CREATION, "pods");
    }

    static CreationFailures ofClaims(Hindrances hindrances) {
        return new CreationFailures(hindrances, Hindrances.Source.CLAIMS, "claims of volumes");
    }

    /** Reason why the application ends. */
    record Verdict(ErrorCode code, String reason) {}

    void succeeded() {
        failing = false;
        sameRefusals = 0;
        hindrances.clear(source);
    }

    /** Handles that an object of this application exists: what is refused later may be allowed again. */
    void created() {
        anyCreated = true;
    }

    /** Handles a request without an answer. {@code isRunning}: an executor runs. */
    Optional<Verdict> unanswered(String words, boolean isRunning, long now) {
        fails(now);
        hindrances.set(source, objects + " cannot be created: " + words);
        return failed(words, isRunning, now);
    }

    /** Handles that the server has too many requests: the next one may succeed, so that the user learns of it later. */
    private Optional<Verdict> throttled(String words, boolean isRunning, long now) {
        fails(now);
        if (now - failingNanos >= THROTTLED_MAX.toNanos()) {
            hindrances.set(source, objects + " cannot be created, as the API server has too many requests: " + words);
        }
        return failed(words, isRunning, now);
    }

    private void fails(long now) {
        if (!failing) {
            failing = true;
            failingNanos = now;
        }
    }

    private Optional<Verdict> failed(String words, boolean isRunning, long now) {
        return now - failingNanos > FAILING_MAX.toNanos() && !isRunning
                ? lost("no " + objects + " could be created for " + FAILING_MAX.toMinutes() + " min: " + words)
                : Optional.empty();
    }

    /** Handles a refusal. {@code isRunning}: an executor runs. */
    Optional<Verdict> refused(Answer.Refused refused, boolean isRunning, long now) {
        String words = refused.words();
        return switch (refused.kind()) {
            case INVALID, WEBHOOK_DENIED -> notAdmitted(words);
            case DENIED ->
                anyCreated
                        ? unanswered(words, isRunning, now)
                        : lost("this account may not create " + objects + ": " + words);
            case NAMESPACE_ENDING -> lost("the namespace is being deleted: " + words);
            case QUOTA -> {
                hindrances.set(source, "a quota is used up: " + words);
                yield Optional.empty();
            }
            case THROTTLED -> throttled(words, isRunning, now);
            case SERVER, WEBHOOK_DOWN, UNAUTHENTICATED, CONFLICT, GONE -> unanswered(words, isRunning, now);
        };
    }

    private Optional<Verdict> notAdmitted(String words) {
        sameRefusals = words.equals(refusal) ? sameRefusals + 1 : 1;
        refusal = words;
        hindrances.set(source, objects + " are refused: " + words);
        return sameRefusals >= SAME_REFUSALS_MAX
                ? Optional.of(new Verdict(
                        ErrorCode.EXECUTORS_FAILED, "the cluster refuses " + objects + " of executors: " + words))
                : Optional.empty();
    }

    private static Optional<Verdict> lost(String reason) {
        return Optional.of(new Verdict(ErrorCode.CLUSTER_LOST, reason));
    }
}
