package dev.hearth.kubernetes.internal.placement;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import java.time.Duration;
import java.util.Optional;

/**
 * Creation of one object that only this process creates: the same request is repeated until it had its effect, is
 * refused for good, or takes too long. A state machine without a clock. An object of that name counts as ours if its label
 * {@link #NONCE} has our nonce.
 */
public final class Placement {
    /** Label with a random text by which the maker of an object recognises it. */
    public static final String NONCE = "hearth.dev/nonce";

    private static final Duration PAUSE_LEAST = Duration.ofMillis(200);
    private static final Duration PAUSE_MOST = Duration.ofSeconds(10);

    private final String nonce;
    private final long endNanos;
    private Duration pause = PAUSE_LEAST;
    private State state = State.PLACING;
    private boolean unsure;
    private boolean authenticatedAgain;

    /** State of a placement. */
    public enum State {
        /** The request is under way, or is repeated after {@link #pause}. */
        PLACING,
        PLACED,
        /** The object does not exist. */
        REFUSED,
        /** The time is over; the object may exist. */
        UNSURE
    }

    /** Placement that may take {@code bound} from {@code now} on. */
    public Placement(String nonce, Duration bound, long now) {
        this.nonce = nonce;
        this.endNanos = now + bound.toNanos();
    }

    public State state() {
        return state;
    }

    /** Time after which the same request is sent again, in the state {@code PLACING}. */
    public Duration pause() {
        return pause;
    }

    /** Handles the answer to the request; returns the object once it is placed. */
    public Optional<ObjectFacts> answered(Answer answer, long now) {
        if (answer instanceof Answer.Done done) {
            state = State.PLACED;
            return done.object();
        }
        if (answer instanceof Answer.Exists exists) {
            boolean ours = exists.object().label(NONCE).equals(nonce);
            state = ours ? State.PLACED : State.REFUSED;
            return ours ? Optional.of(exists.object()) : Optional.empty();
        }
        if (answer instanceof Answer.Refused refused) {
            refused(refused, now);
        } else {
            unsure = true;
            again(Duration.ZERO, now);
        }
        return Optional.empty();
    }

    private void refused(Answer.Refused refused, long now) {
        boolean again = refused.kind() == RefusalKind.UNAUTHENTICATED
                ? !authenticatedAgain
                : refused.kind().isTransient() && (refused.kind() != RefusalKind.QUOTA || unsure);
        authenticatedAgain |= refused.kind() == RefusalKind.UNAUTHENTICATED;
        if (again) {
            again(refused.retryAfter(), now);
        } else {
            state = unsure ? State.UNSURE : State.REFUSED;
        }
    }

    private void again(Duration least, long now) {
        Duration longer = pause.multipliedBy(2);
        pause = longer.compareTo(PAUSE_MOST) > 0 ? PAUSE_MOST : longer;
        pause = least.compareTo(pause) > 0 ? least : pause;
        if (now + pause.toNanos() - endNanos > 0) {
            state = unsure ? State.UNSURE : State.REFUSED;
        }
    }
}
