package dev.hearth.yarn.internal.submission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.settings.Settings;
import dev.hearth.yarn.internal.cluster.ClusterFacts;
import dev.hearth.yarn.internal.cluster.ClusterFacts.QueueFacts;
import dev.hearth.yarn.internal.line.ContainerCapability;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ResourceCheckTest {
    private static final ContainerCapability MAXIMUM = new ContainerCapability(4096, 4, Map.of("yarn.io/gpu", 2L));
    private static final ClusterFacts FACTS = new ClusterFacts(
            ContainerCapability.NONE,
            Set.of("memory-mb", "vcores", "yarn.io/gpu"),
            Optional.of(new QueueFacts("default", true, false)),
            false,
            Set.of("fast"),
            2);

    private static List<String> problems(Map<String, String> settings, ClusterFacts facts) {
        SubmissionNeeds needs = SubmissionNeeds.ofCluster(Settings.empty().with("test", settings));
        return ResourceCheck.problems(needs, MAXIMUM, facts);
    }

    @Test
    void acceptsWhatFits() {
        assertEquals(
                List.of(),
                problems(
                        Map.of(
                                "hearth.executor.memory", "2g",
                                "hearth.executor.cores", "4",
                                "hearth.executor.resource.gpu.amount", "2",
                                "hearth.yarn.executor.nodeLabelExpression", "fast"),
                        FACTS));
    }

    @Test
    void refusesTooMuchMemoryInTheWordsOfSpark() {
        assertEquals(
                List.of(
                        "Required executor memory (8192 MB), offHeap memory (0) MB, overhead (819 MB), and PySpark memory"
                                + " (0 MB) is above the max threshold (4096 MB) of this cluster! Please check the values of"
                                + " 'yarn.scheduler.maximum-allocation-mb' and/or 'yarn.nodemanager.resource.memory-mb'."),
                problems(Map.of("hearth.executor.memory", "8g"), FACTS));
        assertEquals(
                List.of("Required AM memory (5120+512 MB) is above the max threshold (4096 MB) of this cluster! Please"
                        + " check the values of 'yarn.scheduler.maximum-allocation-mb' and/or"
                        + " 'yarn.nodemanager.resource.memory-mb'."),
                problems(Map.of("hearth.driver.memory", "5g"), FACTS));
    }

    @Test
    void namesAllProblemsAtOnce() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("hearth.executor.memory", "8g");
        settings.put("hearth.driver.memory", "5g");
        settings.put("hearth.executor.cores", "5");
        settings.put("hearth.driver.cores", "6");
        settings.put("hearth.yarn.executor.resource.yarn.io/tpu.amount", "1");
        settings.put("hearth.executor.resource.gpu.amount", "3");
        settings.put("hearth.yarn.queue", "nowhere");
        settings.put("hearth.yarn.am.nodeLabelExpression", "slow");
        ClusterFacts facts =
                new ClusterFacts(FACTS.maximum(), FACTS.resourceTypes(), Optional.empty(), false, FACTS.labels(), 2);
        List<String> problems = problems(settings, facts);
        assertEquals(8, problems.size(), problems::toString);
        assertTrue(problems.get(5).contains("yarn.io/tpu"), problems::toString);
        assertTrue(problems.get(4).contains("yarn.io/gpu (3)"), problems::toString);
        assertTrue(problems.get(6).startsWith("queue nowhere: not known"), problems::toString);
        assertTrue(problems.get(7).startsWith("node label slow"), problems::toString);
    }

    @Test
    void refusesAStoppedQueue() {
        ClusterFacts facts = new ClusterFacts(
                FACTS.maximum(),
                FACTS.resourceTypes(),
                Optional.of(new QueueFacts("default", false, false)),
                false,
                Set.of(),
                2);
        assertTrue(problems(Map.of(), facts).get(0).startsWith("queue default: stopped (expected: RUNNING)"));
    }

    @Test
    void leavesAQueueToASchedulerThatMayCreateIt() {
        ClusterFacts facts =
                new ClusterFacts(FACTS.maximum(), FACTS.resourceTypes(), Optional.empty(), true, FACTS.labels(), 2);
        assertEquals(List.of(), problems(Map.of("hearth.yarn.queue", "root.users.ada"), facts));
    }

    @Test
    void leavesExpressionsOfSeveralLabelsToTheCluster() {
        assertEquals(List.of(), problems(Map.of("hearth.yarn.executor.nodeLabelExpression", "a && b"), FACTS));
    }
}
