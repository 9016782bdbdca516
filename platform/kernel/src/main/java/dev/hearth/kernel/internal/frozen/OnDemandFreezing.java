package dev.hearth.kernel.internal.frozen;

import java.nio.file.Path;
import java.util.List;

/** On-demand bundles of a process, as far as snapshots and their start on other machines need them. Thread-safe. */
public interface OnDemandFreezing {
    /** Installs, without starting them, the on-demand bundles of bundles/ that executors have in reserve. */
    void installForExecutors();

    /** Starts the on-demand bundles of deploy/, because a driver on another machine may need them. */
    void startDeployed();

    /** Adds a bundle in reserve, which starts after the jars before it in {@code jars} when a trigger happens. */
    void add(String name, List<String> triggers, List<Path> jars);
}
