package dev.hearth.yarn.internal.submission;

import dev.hearth.spi.cluster.ContainerSize;
import dev.hearth.yarn.internal.cluster.ClusterFacts;
import dev.hearth.yarn.internal.line.ContainerCapability;
import java.util.ArrayList;
import java.util.List;

/** Check of what an application needs against what its cluster has, before anything is uploaded. Pure. */
public final class ResourceCheck {
    private static final String MEMORY_ADVICE = "of this cluster! Please check the values of"
            + " 'yarn.scheduler.maximum-allocation-mb' and/or 'yarn.nodemanager.resource.memory-mb'.";
    private static final String CORES_ADVICE = "of this cluster! Please check the values of"
            + " 'yarn.scheduler.maximum-allocation-vcores' and/or 'yarn.nodemanager.resource.cpu-vcores'.";

    private ResourceCheck() {}

    /** A line for each need that {@code facts} do not meet. {@code maximum} is the largest container. */
    public static List<String> problems(SubmissionNeeds needs, ContainerCapability maximum, ClusterFacts facts) {
        List<String> problems = new ArrayList<>();
        long most = maximum.memoryMebibytes();
        ContainerSize executor = needs.executor();
        if (executor.total() > most) {
            problems.add("Required executor memory (" + executor.heapMebibytes() + " MB), offHeap memory ("
                    + executor.offHeapMebibytes() + ") MB, overhead (" + executor.overheadMebibytes()
                    + " MB), and PySpark memory (0 MB) is above the max threshold (" + most + " MB) " + MEMORY_ADVICE);
        }
        ContainerSize master = needs.master();
        if (master.total() > most) {
            problems.add("Required AM memory (" + master.heapMebibytes() + "+" + master.overheadMebibytes()
                    + " MB) is above the max threshold (" + most + " MB) " + MEMORY_ADVICE);
        }
        cores("executor", needs.executorContainer(), maximum, problems);
        cores("AM", needs.masterContainer(), maximum, problems);
        types("executor", needs.executorContainer(), maximum, facts, problems);
        types("AM", needs.masterContainer(), maximum, facts, problems);
        queue(needs.queue(), facts, problems);
        for (String label : needs.labels()) {
            if (isName(label) && !facts.labels().contains(label)) {
                problems.add("node label " + label + ": not known to the cluster (expected: one of " + facts.labels()
                        + "); set another one, or none");
            }
        }
        return problems;
    }

    private static void cores(
            String whose, ContainerCapability needed, ContainerCapability maximum, List<String> problems) {
        if (needed.cores() > maximum.cores()) {
            problems.add("Required " + whose + " cores (" + needed.cores() + ") is above the max threshold ("
                    + maximum.cores() + ") " + CORES_ADVICE);
        }
    }

    private static void types(
            String whose,
            ContainerCapability needed,
            ContainerCapability maximum,
            ClusterFacts facts,
            List<String> problems) {
        needed.resources().forEach((type, amount) -> {
            if (!facts.resourceTypes().contains(type)) {
                problems.add("resource type " + type + " of the " + whose
                        + ": not known to the cluster (expected: one of " + facts.resourceTypes()
                        + "); leave it out, or ask for it in the cluster's resource-types.xml");
            } else if (amount > maximum.resources().getOrDefault(type, Long.MAX_VALUE)) {
                problems.add("Required " + whose + " resource " + type + " (" + amount
                        + ") is above the max threshold (" + maximum.resources().get(type) + ") of this cluster!");
            }
        });
    }

    private static void queue(String name, ClusterFacts facts, List<String> problems) {
        if (facts.queue().isEmpty()) {
            if (!facts.createsQueue()) {
                problems.add("queue " + name
                        + ": not known to the cluster (expected: a queue of its scheduler); name another"
                        + " one with --queue");
            }
            return; // the ResourceManager creates the queue, or refuses the application
        }
        ClusterFacts.QueueFacts queue = facts.queue().get();
        if (!queue.running()) {
            problems.add("queue " + name
                    + ": stopped (expected: RUNNING); name another one with --queue, or wait until it" + " is started");
        }
    }

    /** Whether a label expression is a single label, which the cluster must know; other expressions it judges itself. */
    private static boolean isName(String label) {
        return label.matches("[A-Za-z0-9_.-]+");
    }
}
