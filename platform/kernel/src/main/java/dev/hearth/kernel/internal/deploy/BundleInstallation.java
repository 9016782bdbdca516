package dev.hearth.kernel.internal.deploy;

import java.util.List;

/**
 * Installation of a bundle jar in the OSGi framework. Owned by {@link Deployment}, from the decision to install the
 * bundle until it is removed.
 */
final class BundleInstallation {
    final int number;
    final BundleContent content;
    private InstallationState state = InstallationState.INSTALLING;
    private long drainingSince; // nanoseconds; while draining
    private List<String> holders = List.of();
    private boolean heldBefore;
    private String problem = "";

    BundleInstallation(int number, BundleContent content) {
        this.number = number;
        this.content = content;
    }

    InstallationState state() {
        return state;
    }

    boolean is(InstallationState... states) {
        return List.of(states).contains(state);
    }

    void move(InstallationState next) {
        if (!state.leadsTo(next)) {
            throw new IllegalStateException("copy " + number + " of " + content + ": " + state + " to " + next);
        }
        state = next;
    }

    void drain(long now) {
        move(InstallationState.DRAINING);
        drainingSince = now;
    }

    long drainedNanos(long now) {
        return now - drainingSince;
    }

    /**
     * Returns why this installation cannot be stopped yet, such as an activator that does not return; empty if there is
     * no problem.
     */
    String problem() {
        return problem;
    }

    void problem(String now) {
        problem = now;
    }

    List<String> holders() {
        return holders;
    }

    /**
     * Records {@code now}, the users that keep this bundle from being stopped, or its classes from being released.
     * Returns true at the first call with any user, so that the caller logs them only once.
     */
    boolean heldBy(List<String> now) {
        holders = List.copyOf(now);
        boolean first = !heldBefore && !now.isEmpty();
        heldBefore |= first;
        return first;
    }
}
