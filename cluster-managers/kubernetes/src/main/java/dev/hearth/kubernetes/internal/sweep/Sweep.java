package dev.hearth.kubernetes.internal.sweep;

import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.placement.Placement;
import dev.hearth.kubernetes.internal.pod.DriverObjects;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decisions about secrets of submissions that no pod owns, because their submitter has died. Pure. The age of a secret is
 * the difference of two times of the API server's clock.
 */
final class Sweep {
    /** Selector of the secrets to look at. */
    static final String PENDING = DriverObjects.PENDING + " in (" + DriverObjects.SUBMITTING + ","
            + DriverObjects.CANCELLED + "," + DriverObjects.ANCHOR + ")";

    /** Secrets of one run, so that a run stays short. */
    static final int SECRETS_MAX = 20;

    private Sweep() {}

    /** Action on one secret, with the driver's pod if there is one. Immutable. */
    record Decision(Action action, ObjectFacts secret, Optional<ObjectFacts> pod) {}

    /** Kind of action on a secret. */
    enum Action {
        /** The driver's pod becomes the owner of the secret. */
        ADOPT,
        /** There is no driver's pod, and none will come. */
        DELETE_SECRET,
        /** The submission is cancelled, and its driver's pod has come late. */
        DELETE_POD
    }

    /**
     * Decides about {@code secrets}, which are pending; {@code drivers} are the pods of drivers, listed after them. Secrets
     * younger than {@code age} belong to submissions that may be under way.
     */
    static List<Decision> decide(
            List<ObjectFacts> secrets, List<ObjectFacts> drivers, long serverSeconds, Duration age) {
        List<Decision> decisions = new ArrayList<>();
        for (ObjectFacts secret : secrets) {
            Optional<ObjectFacts> pod =
                    drivers.stream().filter(driver -> isOf(driver, secret)).findFirst();
            boolean cancelled = secret.label(DriverObjects.PENDING).equals(DriverObjects.CANCELLED);
            boolean old = serverSeconds - secret.createdSeconds() >= age.toSeconds();
            if (decisions.size() == SECRETS_MAX) {
                break;
            }
            if (pod.isPresent() && cancelled) {
                decisions.add(new Decision(Action.DELETE_POD, secret, pod));
            } else if (old) {
                decisions.add(new Decision(pod.isPresent() ? Action.ADOPT : Action.DELETE_SECRET, secret, pod));
            }
        }
        return decisions;
    }

    private static boolean isOf(ObjectFacts driver, ObjectFacts secret) {
        String nonce = secret.label(Placement.NONCE);
        return !nonce.isEmpty() && driver.label(Placement.NONCE).equals(nonce);
    }
}
