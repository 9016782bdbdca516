package dev.hearth.kernel.internal.boot;

import java.util.List;

/**
 * Content of a role file: bundles of the platform, on-demand groups of them, and JVM options. Also says whether the role itself parses all its
 * arguments, whether its process watches deploy/, and whether it starts with launch orders. Immutable.
 */
public record Role(
        String name,
        List<String> bundles,
        List<OnDemandBundleGroup> reserves,
        List<String> jvmOptions,
        boolean ownArguments,
        boolean deploy,
        boolean orders) {
    public Role {
        bundles = List.copyOf(bundles);
        reserves = List.copyOf(reserves);
        jvmOptions = List.copyOf(jvmOptions);
    }
}
