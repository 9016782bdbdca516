package dev.hearth.itests.endtoend.app;

import dev.hearth.api.HearthContext;
import dev.hearth.api.Pair;
import dev.hearth.api.Rdd;
import dev.hearth.api.resource.ExecutorResourceRequests;
import dev.hearth.api.resource.ResourceProfile;
import dev.hearth.api.resource.ResourceProfileBuilder;
import dev.hearth.api.resource.TaskResourceRequests;
import dev.hearth.api.task.TaskContext;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * Runs three stages on executors of three sizes and prints what each stage has found: the heap of its executor and
 * the cores of its task. The last stage needs all cores of the cluster, so executors of the others must
 * end first.
 */
public final class ThreeSizes {
    private ThreeSizes() {}

    public static void main(String[] args) {
        ResourceProfile larger = new ResourceProfileBuilder()
                .require(new ExecutorResourceRequests().cores(1).memory("430m"))
                .build();
        ResourceProfile whole = new ResourceProfileBuilder()
                .require(new ExecutorResourceRequests().cores(2).memory("630m"))
                .require(new TaskResourceRequests().cpus(2))
                .build();
        try (HearthContext context = HearthContext.builder().name("three sizes").open()) {
            Rdd<String> both = context.parallelize(List.of(1, 2), 2)
                    .mapToPair(number -> Pair.of("map " + found(), 1))
                    .reduceByKey(Integer::sum, 1)
                    .map(pair -> pair.key() + ", reduce " + found())
                    .withResources(larger);
            System.out.println(both.collect());
            System.out.println(context.parallelize(List.of(1), 1)
                    .map(number -> "whole " + found())
                    .withResources(whole)
                    .collect());
        }
    }

    private static String found() {
        String heap = ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("-Xmx"))
                .reduce("", (first, last) -> last);
        return heap + " " + TaskContext.current().cpus();
    }
}
