package dev.hearth.kernel.internal.deploy;

import java.util.List;

/** One installation of one content. Owned by {@link Deployment}, from its order to be installed until it is gone. */
final class Copy {
    final int number;
    final Content content;
    private CopyState state = CopyState.INSTALLING;
    private long drainingSince; // nanoseconds; while draining
    private List<String> holders = List.of();
    private boolean told;
    private String problem = "";

    Copy(int number, Content content) {
        this.number = number;
        this.content = content;
    }

    CopyState state() {
        return state;
    }

    boolean is(CopyState... states) {
        return List.of(states).contains(state);
    }

    void move(CopyState next) {
        if (!state.leadsTo(next)) {
            throw new IllegalStateException("copy " + number + " of " + content + ": " + state + " to " + next);
        }
        state = next;
    }

    void drain(long now) {
        move(CopyState.DRAINING);
        drainingSince = now;
    }

    long drainedNanos(long now) {
        return now - drainingSince;
    }

    /** What is wrong with its end, or nothing. */
    String problem() {
        return problem;
    }

    void problem(String now) {
        problem = now;
    }

    List<String> holders() {
        return holders;
    }

    /** Notes who still uses it; true for the first time that anybody does. */
    boolean heldBy(List<String> now) {
        holders = List.copyOf(now);
        boolean first = !told && !now.isEmpty();
        told |= first;
        return first;
    }
}
