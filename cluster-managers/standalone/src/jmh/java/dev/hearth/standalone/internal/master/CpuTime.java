package dev.hearth.standalone.internal.master;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
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
 * Profiler that reports the CPU time of the measured thread for each call, without the compiler and the collector. Unlike
 * the elapsed time, it means something on a machine that does other work.
 */
public final class CpuTime implements InternalProfiler {
    private static final double NANOS_PER_MICRO = 1_000;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private long startNanos;

    @Override
    public String getDescription() {
        return "CPU time of the measured thread for each call";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        startNanos = workersNanos();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double micros = (workersNanos() - startNanos) / NANOS_PER_MICRO;
        return List.of(
                new ScalarResult("cpu", micros / result.getMetadata().getAllOps(), "us/op", AggregationPolicy.AVG));
    }

    private long workersNanos() {
        long nanos = 0;
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().contains("jmh-worker")) {
                nanos += threads.getThreadCpuTime(thread.getThreadId());
            }
        }
        return nanos;
    }
}
