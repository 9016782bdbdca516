package dev.hearth.standalone.internal.master;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Profiler that reports the CPU time of the process for each call, with that of the compiler and the collector. Unlike the
 * elapsed time, it means something on a machine that does other work.
 */
public final class CpuTime implements InternalProfiler {
    private static final double NANOS_PER_MICRO = 1_000;

    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private long startNanos;

    @Override
    public String getDescription() {
        return "CPU time of the process for each call";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        startNanos = system.getProcessCpuTime();
    }

    @Override
    public Collection<? extends Result> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double micros = (system.getProcessCpuTime() - startNanos) / NANOS_PER_MICRO;
        return List.of(
                new ScalarResult("cpu", micros / result.getMetadata().getAllOps(), "us/op", AggregationPolicy.AVG));
    }
}
