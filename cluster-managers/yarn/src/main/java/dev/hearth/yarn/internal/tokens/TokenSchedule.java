package dev.hearth.yarn.internal.tokens;

import dev.hearth.yarn.internal.settings.RenewalSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Schedule by which the tokens of one application are made again. A state machine: time arrives as an argument in
 * nanoseconds, and nothing blocks. Invariants: at most one attempt runs; an attempt begins before the tokens in use end,
 * unless they are shorter than a second; before they end, a warning has said so.
 */
final class TokenSchedule {
    /** Shortest time between two attempts. */
    static final Duration PAUSE_MIN = Duration.ofSeconds(1);
    /** Longest time before the first retry, and between attempts once the tokens in use have ended. */
    static final Duration FIRST_RETRY_MAX = Duration.ofMinutes(1);

    private static final int PARTS_BEFORE_FIRST_RETRY = 8;
    private static final int PARTS_BETWEEN_RETRIES = 4;
    private static final String SUBJECT = "delegation tokens: ";

    /** States of a schedule; see the package. */
    enum State {
        HELD,
        WAITING,
        FETCHING,
        RETRYING,
        CLOSED;

        boolean leadsTo(State next) {
            return switch (this) {
                case HELD -> next == CLOSED;
                case WAITING -> next == HELD || next == FETCHING || next == CLOSED;
                case FETCHING -> next == WAITING || next == RETRYING || next == CLOSED;
                case RETRYING -> next == FETCHING || next == CLOSED;
                case CLOSED -> false;
            };
        }
    }

    private final RenewalSettings settings;
    private State state = State.WAITING;
    private Optional<Long> endNanos = Optional.empty(); // of the tokens in use
    private Optional<Long> warnNanos = Optional.empty(); // when HELD
    private long nextNanos; // of an attempt, when WAITING or RETRYING
    private boolean isPlanned;
    private boolean isEndTold;
    private int failures; // since the last success
    private Duration pause = Duration.ZERO;

    TokenSchedule(RenewalSettings settings) {
        this.settings = settings;
    }

    State state() {
        return state;
    }

    /** Time for which the tokens in use are valid; negative once they have ended, empty if they do not end. */
    Optional<Duration> left(long now) {
        return endNanos.map(end -> Duration.ofNanos(end - now));
    }

    /** Begins with tokens that are valid for {@code valid}, and with an attempt to make others. */
    List<TokenEffect> begin(Optional<Duration> valid, long now) {
        if (state == State.CLOSED) {
            return List.of();
        }
        endNanos = valid.map(time -> now + time.toNanos());
        return fetch(now);
    }

    /** Keeps tokens that are valid for {@code valid} and cannot be replaced. */
    List<TokenEffect> hold(Optional<Duration> valid, long now) {
        if (state == State.CLOSED) {
            return List.of();
        }
        move(State.HELD);
        endNanos = valid.map(time -> now + time.toNanos());
        warnNanos = valid.map(time -> now + part(time));
        return wakes(now);
    }

    /** Handles that there are new tokens, valid for {@code valid}. */
    List<TokenEffect> fetched(Optional<Duration> valid, long now) {
        if (state != State.FETCHING) {
            return List.of();
        }
        move(State.WAITING);
        List<TokenEffect> effects = new ArrayList<>();
        if (failures > 0) {
            effects.add(new TokenEffect.Note(
                    TokenEffect.Level.INFO, SUBJECT + "made again after " + failures + " failed attempts"));
        }
        failures = 0;
        isEndTold = false;
        endNanos = valid.map(time -> now + time.toNanos());
        isPlanned = valid.isPresent();
        valid.ifPresent(time -> nextNanos = now + Math.max(part(time), PAUSE_MIN.toNanos()));
        effects.addAll(wakes(now));
        return effects;
    }

    /** Handles that an attempt has failed. */
    List<TokenEffect> failed(String why, long now) {
        if (state != State.FETCHING) {
            return List.of();
        }
        move(State.RETRYING);
        failures++;
        pause = pause(now);
        nextNanos = now + pause.toNanos();
        isPlanned = true;
        boolean hasEnded = hasEnded(now);
        isEndTold |= hasEnded;
        List<TokenEffect> effects = new ArrayList<>();
        effects.add(new TokenEffect.Note(
                hasEnded ? TokenEffect.Level.ERROR : TokenEffect.Level.WARNING,
                SUBJECT + "no new ones: " + why + " (expected: a file system and a KDC that answer); "
                        + left(now)
                                .map(left -> left.isNegative()
                                        ? "those in use have ended " + words(left.negated())
                                                + " ago, and tasks that open files fail"
                                        : "those in use are valid for another " + words(left))
                                .orElse("how long those in use are valid is not known")
                        + "; the next attempt is in " + words(pause)));
        effects.addAll(wakes(now));
        return effects;
    }

    /** Handles that time has passed. Too many calls do no harm. */
    List<TokenEffect> tick(long now) {
        return switch (state) {
            case HELD -> held(now);
            case WAITING, RETRYING -> isPlanned && now >= nextNanos ? fetch(now) : wakes(now);
            case FETCHING -> hasEnded(now) && !isEndTold ? ended(now) : List.of();
            case CLOSED -> List.of();
        };
    }

    void close() {
        if (state != State.CLOSED) {
            move(State.CLOSED);
        }
    }

    private List<TokenEffect> held(long now) {
        List<TokenEffect> effects = new ArrayList<>();
        if (warnNanos.isPresent() && now >= warnNanos.get() && !hasEnded(now)) {
            warnNanos = Optional.empty();
            effects.add(
                    new TokenEffect.Note(
                            TokenEffect.Level.WARNING,
                            SUBJECT + "they end in "
                                    + left(now).map(TokenSchedule::words).orElse("?")
                                    + " and cannot be replaced here (expected: an application that ends before); submit with"
                                    + " --principal and --keytab, or set hearth.kerberos.renewal.credentials=ccache in client mode"));
        }
        if (hasEnded(now) && !isEndTold) {
            effects.addAll(ended(now));
        }
        effects.addAll(wakes(now));
        return effects;
    }

    private List<TokenEffect> ended(long now) {
        isEndTold = true;
        return List.of(new TokenEffect.Note(
                TokenEffect.Level.ERROR,
                SUBJECT + "they have ended "
                        + left(now).map(left -> words(left.negated())).orElse("")
                        + " ago (expected: new ones before); tasks that open files fail"));
    }

    private List<TokenEffect> fetch(long now) {
        move(State.FETCHING);
        isPlanned = false;
        List<TokenEffect> effects = new ArrayList<>(List.of(new TokenEffect.Fetch()));
        effects.addAll(wakes(now)); // an attempt may hang beyond the end
        return effects;
    }

    private boolean hasEnded(long now) {
        return endNanos.isPresent() && now >= endNanos.get();
    }

    /** The time until the next attempt: doubled with each failure, and a part of what is left. */
    private Duration pause(long now) {
        Duration left = left(now).filter(time -> !time.isNegative()).orElse(Duration.ZERO);
        boolean isUrgent = hasEnded(now);
        Duration first = min(
                FIRST_RETRY_MAX,
                isUrgent || endNanos.isEmpty() ? FIRST_RETRY_MAX : left.dividedBy(PARTS_BEFORE_FIRST_RETRY));
        Duration next = failures == 1 ? first : pause.multipliedBy(2);
        Duration bound = isUrgent || endNanos.isEmpty() ? FIRST_RETRY_MAX : left.dividedBy(PARTS_BETWEEN_RETRIES);
        Duration wait = min(next, min(bound, settings.retryWait()));
        return wait.compareTo(PAUSE_MIN) < 0 ? PAUSE_MIN : wait;
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    private long part(Duration valid) {
        return (long) (Math.max(0, valid.toNanos()) * settings.ratio());
    }

    /** A call at the next time at which something happens. */
    private List<TokenEffect> wakes(long now) {
        long next = Long.MAX_VALUE;
        if (isPlanned) {
            next = nextNanos;
        }
        if (state == State.HELD && warnNanos.isPresent()) {
            next = Math.min(next, warnNanos.get());
        }
        boolean tellsEnd = state == State.HELD || state == State.FETCHING;
        if (tellsEnd && endNanos.isPresent() && !isEndTold) {
            next = Math.min(next, endNanos.get());
        }
        return next == Long.MAX_VALUE
                ? List.of()
                : List.of(new TokenEffect.Wake(Duration.ofNanos(Math.max(0, next - now))));
    }

    /** A time for people, in two units at most. */
    static String words(Duration time) {
        long seconds = Math.max(0, time.toSeconds());
        long minutes = seconds / 60;
        if (minutes == 0) {
            return seconds + " s";
        }
        long hours = minutes / 60;
        if (hours == 0) {
            return minutes + " min " + seconds % 60 + " s";
        }
        long days = hours / 24;
        return days == 0 ? hours + " h " + minutes % 60 + " min" : days + " d " + hours % 24 + " h";
    }

    private void move(State next) {
        if (!state.leadsTo(next)) {
            throw new IllegalStateException(
                    "schedule of tokens in state " + state + " (expected: one that leads to " + next + ")");
        }
        state = next;
    }
}
