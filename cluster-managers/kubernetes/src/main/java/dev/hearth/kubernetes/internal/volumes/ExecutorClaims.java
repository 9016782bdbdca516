package dev.hearth.kubernetes.internal.volumes;

import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.Owner;
import java.util.List;

/**
 * Claims on demand of the executors of one application, as requests to the API server. Claims have numbers, each of which
 * is used once. Implemented by the package of pods.
 */
public interface ExecutorClaims {
    /** The claims that each executor needs, with the access mode {@code mode}; in the order of its volumes. */
    List<ClaimSpec> specs(String mode);

    /** Label selector of all these claims, and of no other. */
    String selector();

    String name(long number);

    /** Claim of number {@code number} of the driver with the number {@code epoch}, owned by {@code owner}. */
    ApiObject claim(long number, long epoch, ClaimSpec spec, Owner owner);
}
