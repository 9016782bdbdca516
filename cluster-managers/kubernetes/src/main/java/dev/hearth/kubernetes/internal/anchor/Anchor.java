package dev.hearth.kubernetes.internal.anchor;

import dev.hearth.kubernetes.internal.anchor.AnchorEffect.Failed;
import dev.hearth.kubernetes.internal.anchor.AnchorEffect.Held;
import dev.hearth.kubernetes.internal.anchor.AnchorEffect.Recreated;
import dev.hearth.kubernetes.internal.anchor.AnchorEffect.Released;
import dev.hearth.kubernetes.internal.anchor.AnchorEffect.Send;
import dev.hearth.kubernetes.internal.anchor.AnchorEffect.Superseded;
import dev.hearth.kubernetes.internal.anchor.AnchorEffect.Wake;
import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import dev.hearth.kubernetes.internal.placement.Placement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Hold of one driver on the anchor of its application. A state machine: time arrives as an argument, effects are returned;
 * {@link AnchorShell} owns it. Invariants: one request at most is under way; the epoch grows by a patch with a precondition
 * alone, so that two drivers never hold the same one; a superseded driver changes and deletes nothing.
 */
final class Anchor {
    /** Time between two renewals: with a watch of 270 s, an idle driver sends fewer than 0.5 requests a minute. */
    static final Duration RENEWAL = Duration.ofMinutes(5);
    /** Time between two looks at an anchor that may be gone. */
    static final Duration DOUBT = Duration.ofSeconds(10);

    private static final Duration PLACE_BOUND = Duration.ofSeconds(60);
    private static final Duration PAUSE_LEAST = Duration.ofSeconds(1);
    private static final Duration PAUSE_MOST = Duration.ofSeconds(30);
    private static final int DELETIONS_MAX = 3;

    private final Predicate<ObjectFacts> ofApplication;
    private final String nonce;
    private final boolean renews;
    private List<AnchorEffect> effects = new ArrayList<>();
    private State state = State.PLACING;
    private Placement placement;
    private Optional<ObjectFacts> seen = Optional.empty(); // as this driver, or a request of it, left it
    private String heldUid = "";
    private long epoch; // 0 until it is held
    private long epochLeast = 1;
    private long renewed;
    private Optional<AnchorRequest> underWay = Optional.empty();
    private Optional<AnchorRequest> planned = Optional.empty();
    private boolean releasing;
    private int deletions;
    private Duration pause = PAUSE_LEAST;
    private long wakeNanos;
    private long renewNanos;
    private long doubtNanos; // from which on it may be looked at
    private boolean doubted; // a look is due then
    private long endNanos;

    enum State {
        /** The anchor is being created. */
        PLACING,
        /** The anchor of an earlier driver is being taken, or the epoch is being raised. */
        TAKING,
        HELD,
        RENEWING,
        /** The anchor is looked at, because something says that it is gone or has changed. */
        CHECKING,
        /** A stranger has deleted the anchor; it is being created again. */
        LOST,
        /** A later driver holds the anchor. */
        SUPERSEDED,
        /** The anchor could not be placed. */
        FAILED,
        RELEASING,
        RELEASED
    }

    /**
     * Anchor of the application that {@code ofApplication} recognises, for a driver with {@code nonce}; {@code renews} if no
     * pod owns the anchor.
     */
    Anchor(Predicate<ObjectFacts> ofApplication, String nonce, boolean renews, long now) {
        this.ofApplication = ofApplication;
        this.nonce = nonce;
        this.renews = renews;
        this.placement = new Placement(nonce, PLACE_BOUND, now);
        this.doubtNanos = now;
    }

    State state() {
        return state;
    }

    /** Number of this driver among those of its application, as the anchor has it; before the first hold, the next one. */
    long epoch() {
        return epoch == 0 ? epochToWrite() : epoch;
    }

    /** The number that {@link AnchorRequest#CREATE} and {@link AnchorRequest#TAKE} write. */
    long epochToWrite() {
        long theirs =
                seen.filter(found -> !isOurs(found)).map(AnchorMarks::epochOf).orElse(0L);
        return Math.max(Math.max(epoch, epochLeast), theirs + 1);
    }

    /** The counter that {@link AnchorRequest#RENEW} writes. */
    long renewed() {
        return renewed;
    }

    /** The anchor as it was read last, which the requests with a precondition name. */
    ObjectFacts seen() {
        return seen.orElseThrow(() -> new IllegalStateException("anchor: not read (expected: read, in " + state + ")"));
    }

    List<AnchorEffect> begin(long now) {
        endNanos = now + PLACE_BOUND.toNanos();
        send(AnchorRequest.CREATE);
        return made();
    }

    /** Handles the answer to the request that was sent last. */
    List<AnchorEffect> answered(Answer answer, long now) {
        AnchorRequest request = underWay.orElseThrow(
                () -> new IllegalStateException("anchor: an answer without a request (expected: one)"));
        underWay = Optional.empty();
        if (state == State.SUPERSEDED || state == State.FAILED || state == State.RELEASED) {
            return made();
        }
        switch (request) {
            case CREATE -> created(answer, now);
            case READ -> read(answer, now);
            case TAKE -> taken(answer, now);
            case RENEW -> renewal(answer, now);
            case DELETE -> deleted(answer);
        }
        if (releasing && underWay.isEmpty() && state != State.RELEASED) {
            planned = Optional.empty();
            release();
        }
        return made();
    }

    List<AnchorEffect> wake(long now) {
        if (doubted && now - doubtNanos >= 0) {
            doubted = false;
            look(now);
        }
        if (underWay.isEmpty() && now - wakeNanos >= 0) {
            if (planned.isPresent()) {
                AnchorRequest next = planned.get();
                planned = Optional.empty();
                send(next);
            } else if (state == State.HELD && renews) {
                renew();
            }
        }
        return made();
    }

    /** Handles a sign that the anchor may be gone: a pod that it owns was deleted by another client. */
    List<AnchorEffect> doubt(long now) {
        if (now - doubtNanos >= 0) {
            look(now);
        } else if (!doubted) {
            doubted = true;
            effects.add(new Wake(Duration.ofNanos(doubtNanos - now)));
        }
        return made();
    }

    private void look(long now) {
        if (state == State.HELD && underWay.isEmpty()) {
            doubtNanos = now + DOUBT.toNanos();
            state = State.CHECKING;
            send(AnchorRequest.READ);
        }
    }

    /**
     * Raises the epoch above {@code other}, that of pods of another driver whose anchor is gone: at once, or after the
     * requests that are under way. If the anchor is the other driver's, this one is superseded.
     */
    List<AnchorEffect> raise(long other) {
        epochLeast = Math.max(epochLeast, other + 1);
        if (state == State.HELD && underWay.isEmpty() && !releasing) {
            raiseIfDue();
        }
        return made();
    }

    private boolean raiseIfDue() {
        boolean due = epoch > 0 && epoch < epochLeast && !releasing;
        if (due) {
            state = State.TAKING;
            send(AnchorRequest.TAKE);
        }
        return due;
    }

    /** Handles that pods of a later driver exist: the anchor is that driver's, wherever it is. */
    void superseded() {
        state = State.SUPERSEDED;
        planned = Optional.empty();
        doubted = false;
    }

    /** Gives the anchor up, and deletes it if {@code deletes}, unless another driver holds it. */
    List<AnchorEffect> release(boolean deletes) {
        if (state == State.RELEASED || releasing) {
            return made();
        }
        if (!deletes || state == State.SUPERSEDED || state == State.FAILED) {
            state = State.RELEASED;
            effects.add(new Released(false));
            return made();
        }
        releasing = true;
        planned = Optional.empty();
        if (underWay.isEmpty()) {
            release();
        }
        return made();
    }

    private void created(Answer answer, long now) {
        if (answer instanceof Answer.Exists exists && !isOurs(exists.object())) {
            seen = Optional.of(exists.object());
            if (ofApplication.test(exists.object())) {
                foreign(exists.object());
            } else {
                fail(answer, false);
            }
            return;
        }
        Optional<ObjectFacts> placed = placement.answered(answer, now);
        switch (placement.state()) {
            case PLACED -> placed.ifPresent(anchor -> hold(anchor, now));
            case PLACING -> later(AnchorRequest.CREATE, placement.pause(), now);
            case REFUSED, UNSURE -> {
                if (state == State.LOST) { // the driver works without it, and tries again
                    placement = new Placement(nonce, PLACE_BOUND, now);
                    later(AnchorRequest.CREATE, PAUSE_MOST, now);
                } else {
                    fail(answer, placement.state() == Placement.State.UNSURE);
                }
            }
        }
    }

    private void read(Answer answer, long now) {
        if (answer instanceof Answer.Done done && done.object().isPresent()) {
            ObjectFacts found = done.object().get();
            seen = done.object();
            if (!ofApplication.test(found)) { // it is gone, and another application has its name
                fail(answer, false);
            } else if (!isOurs(found)) {
                foreign(found);
            } else if (state == State.RENEWING) {
                send(AnchorRequest.RENEW);
            } else if (state == State.RELEASING) {
                delete();
            } else {
                hold(found, now);
            }
        } else if (answer instanceof Answer.Missing) {
            missing(now);
        } else if (state == State.RELEASING) {
            end(true);
        } else if (state == State.CHECKING && isFinal(answer)) {
            believe(now);
        } else {
            again(AnchorRequest.READ, answer, now);
        }
    }

    private void taken(Answer answer, long now) {
        if (answer instanceof Answer.Done done && done.object().isPresent()) {
            hold(done.object().get(), now);
        } else if (answer instanceof Answer.Missing) {
            missing(now);
        } else if (isConflict(answer)) {
            send(AnchorRequest.READ);
        } else {
            again(AnchorRequest.READ, answer, now);
        }
    }

    private void renewal(Answer answer, long now) {
        if (answer instanceof Answer.Done done && done.object().isPresent()) {
            renewNanos = now + RENEWAL.toNanos();
            hold(done.object().get(), now);
        } else if (answer instanceof Answer.Missing) {
            missing(now);
        } else if (isConflict(answer)) { // a sweep has looked at it, or a driver has taken it
            send(AnchorRequest.READ);
        } else if (isFinal(answer)) { // the account may not do it: the executors that run protect the anchor
            renewNanos = now + RENEWAL.toNanos();
            believe(now);
        } else {
            again(AnchorRequest.READ, answer, now);
        }
    }

    private void deleted(Answer answer) {
        if (answer instanceof Answer.Done || answer instanceof Answer.Missing) {
            end(false);
        } else if (isConflict(answer)) {
            send(AnchorRequest.READ);
        } else if (deletions < DELETIONS_MAX) {
            delete();
        } else {
            end(true);
        }
    }

    private void hold(ObjectFacts anchor, long now) {
        long before = epoch;
        boolean again = !heldUid.equals(anchor.uid());
        epoch = Math.max(epoch, AnchorMarks.epochOf(anchor));
        epochLeast = Math.max(epochLeast, epoch);
        seen = Optional.of(anchor);
        if (epoch > before) {
            effects.add(new Held(anchor));
        }
        heldUid = anchor.uid();
        if (before > 0 && again) {
            effects.add(new Recreated(anchor));
        }
        if (state == State.PLACING || state == State.TAKING || state == State.LOST) {
            renewNanos = now + RENEWAL.toNanos();
        }
        believe(now);
    }

    /** Goes on with the anchor as it was seen last. */
    private void believe(long now) {
        if (raiseIfDue()) {
            return;
        }
        state = State.HELD;
        pause = PAUSE_LEAST;
        if (renews && !releasing) {
            wakeAfter(Duration.ofNanos(Math.max(0, renewNanos - now)), now);
        }
    }

    /** Handles that another driver is the holder of the anchor {@code found}. */
    private void foreign(ObjectFacts found) {
        if (state == State.RELEASING) {
            if (AnchorMarks.epochOf(found) < epoch) { // its driver is superseded, and deletes nothing
                delete();
            } else {
                end(false);
            }
        } else if (epoch == 0 || AnchorMarks.epochOf(found) < epoch) {
            state = State.TAKING;
            send(AnchorRequest.TAKE);
        } else {
            state = State.SUPERSEDED;
            effects.add(new Superseded(AnchorMarks.epochOf(found)));
            if (releasing) {
                end(false);
            }
        }
    }

    private void missing(long now) {
        if (releasing) {
            end(false);
            return;
        }
        state = epoch == 0 ? State.PLACING : State.LOST;
        placement = new Placement(nonce, PLACE_BOUND, now);
        send(AnchorRequest.CREATE);
    }

    /** Repeats {@code request} after a pause, because of {@code answer}; for the first hold, within a bound. */
    private void again(AnchorRequest request, Answer answer, long now) {
        boolean late = now + pause.toNanos() - endNanos > 0;
        if (epoch == 0 && (isFinal(answer) || late)) {
            fail(answer, !isFinal(answer));
            return;
        }
        later(request, isFinal(answer) ? PAUSE_MOST : pause, now);
        Duration longer = pause.multipliedBy(2);
        pause = longer.compareTo(PAUSE_MOST) > 0 ? PAUSE_MOST : longer;
    }

    private void renew() {
        state = State.RENEWING;
        renewed++;
        send(AnchorRequest.RENEW);
    }

    private void release() {
        if (seen.isEmpty() || state == State.PLACING) {
            end(true); // a request for it may have had its effect
        } else if (state == State.LOST || state == State.TAKING) {
            state = State.RELEASING;
            send(AnchorRequest.READ);
        } else {
            state = State.RELEASING;
            delete();
        }
    }

    private void delete() {
        deletions++;
        if (deletions > DELETIONS_MAX) {
            end(true);
        } else {
            send(AnchorRequest.DELETE);
        }
    }

    private void end(boolean left) {
        state = State.RELEASED;
        effects.add(new Released(left));
    }

    private void fail(Answer why, boolean unsure) {
        if (releasing) { // what was seen last may be another application's
            end(unsure);
            return;
        }
        state = State.FAILED;
        effects.add(new Failed(why, unsure));
    }

    private void send(AnchorRequest request) {
        underWay = Optional.of(request);
        effects.add(new Send(request));
    }

    private void later(AnchorRequest request, Duration after, long now) {
        planned = Optional.of(request);
        wakeAfter(after, now);
    }

    private void wakeAfter(Duration after, long now) {
        wakeNanos = now + after.toNanos();
        effects.add(new Wake(after));
    }

    private boolean isOurs(ObjectFacts anchor) {
        return anchor.label(Placement.NONCE).equals(nonce);
    }

    private static boolean isConflict(Answer answer) {
        return answer instanceof Answer.Refused refused && refused.kind() == RefusalKind.CONFLICT;
    }

    private static boolean isFinal(Answer answer) {
        return answer instanceof Answer.Refused refused && !refused.kind().isTransient();
    }

    private List<AnchorEffect> made() {
        List<AnchorEffect> list = effects;
        effects = new ArrayList<>();
        return list;
    }
}
