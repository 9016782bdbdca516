package dev.hearth.yarn.internal.backend;

import dev.hearth.spi.cluster.ApplicationLinks;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.yarn.internal.allocator.ExecutorNeeds;
import java.util.function.Function;

/**
 * Parts of a context on YARN: the launches of its executors, the needs of each profile, and the links of its driver. {@code
 * endsApplication} says that the application ends with this context, as it does in client mode. Immutable.
 */
public record ContextSetup(
        ExecutorLaunches launches,
        Function<ExecutorProfile, ExecutorNeeds> needs,
        ApplicationLinks links,
        boolean endsApplication) {}
