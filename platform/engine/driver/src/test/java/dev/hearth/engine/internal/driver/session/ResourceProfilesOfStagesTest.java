package dev.hearth.engine.internal.driver.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.Pair;
import dev.hearth.api.PairRdd;
import dev.hearth.api.Rdd;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.resource.ExecutorResourceRequests;
import dev.hearth.api.resource.ResourceProfile;
import dev.hearth.api.resource.ResourceProfileBuilder;
import dev.hearth.api.resource.TaskResourceRequests;
import dev.hearth.api.task.BarrierTaskContext;
import dev.hearth.api.task.TaskContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Profiles of datasets become those of stages. The rows of DAGSchedulerSuite about profiles, through the API. */
@Timeout(60)
class ResourceProfilesOfStagesTest {
    private static final ResourceProfile TWO_CORES = tasks(2);

    @RegisterExtension
    private final LocalContext local = new LocalContext();

    @Test
    void holdsFromShuffleToShuffle() {
        HearthContext context = local.open();
        PairRdd<Integer, Integer> counts = context.parallelize(List.of(1, 2, 3, 4), 2)
                .mapToPair(number -> Pair.of(TaskContext.current().cpus(), 1))
                .reduceByKey(Integer::sum, 1);
        Rdd<String> both =
                counts.map(pair -> pair + " then " + TaskContext.current().cpus());
        assertEquals(List.of("(1,4) then 2"), both.withResources(TWO_CORES).collect());
        assertEquals(Optional.of(TWO_CORES), both.resourceProfile());
        assertEquals(Optional.empty(), counts.resourceProfile());
        assertEquals(Optional.of(TWO_CORES), both.named("both").resourceProfile());
        assertEquals(
                List.of("2"),
                both.map(text -> "" + TaskContext.current().cpus()).collect(),
                "datasets after it in the same stage have no other one");
    }

    /** Two tasks of one core meet at a barrier on an executor that else runs one task of two cores at a time. */
    @Test
    void runsMoreTasksAtATimeIfTheyNeedLess() {
        HearthContext context = local.open(Map.of("hearth.task.cpus", "2"));
        assertEquals(
                List.of(1, 1),
                context.parallelize(List.of(1, 2), 2)
                        .barrier()
                        .mapPartitions(part -> {
                            BarrierTaskContext.current().barrier();
                            return List.of(TaskContext.current().cpus()).iterator();
                        })
                        .withResources(tasks(1))
                        .collect());
        assertEquals(
                List.of(2, 2, 2),
                context.parallelize(List.of(1, 2, 3), 3)
                        .map(number -> TaskContext.current().cpus())
                        .collect());
    }

    /** "test multiple resource profiles" of DAGSchedulerSuite, and the message of Spark in substance. */
    @Test
    void refusesDifferentProfilesInOneStage() {
        HearthContext context = local.open();
        Rdd<Integer> union = two(context);
        HearthException refusal = assertThrows(HearthException.class, union::count);
        assertEquals("BAD_ARGUMENT", refusal.code());
        assertTrue(
                String.valueOf(refusal.getMessage()).contains("hearth.scheduler.resource.profileMergeConflicts=true"),
                refusal.getMessage());
    }

    @Test
    void mergesDifferentProfilesIfThatIsSet() {
        HearthContext context = local.open(Map.of("spark.scheduler.resource.profileMergeConflicts", "true"));
        assertEquals(
                List.of(2, 2),
                two(context).map(number -> TaskContext.current().cpus()).collect());
    }

    private static Rdd<Integer> two(HearthContext context) {
        return context.parallelize(List.of(1), 1)
                .withResources(tasks(1))
                .union(context.parallelize(List.of(2), 1).withResources(TWO_CORES));
    }

    @Test
    void refusesExecutorsOfAnotherSizeOnALocalMaster() {
        Rdd<Integer> numbers = local.open().parallelize(List.of(1), 1);
        ResourceProfile large = new ResourceProfileBuilder()
                .require(new ExecutorResourceRequests().memory("8g"))
                .build();
        HearthException refusal = assertThrows(HearthException.class, () -> numbers.withResources(large));
        assertEquals("BAD_ARGUMENT", refusal.code());
        assertEquals(Optional.empty(), numbers.resourceProfile());
        assertEquals(1, numbers.count());
    }

    @Test
    void isReportedToListeners() throws Exception {
        HearthContext context = local.open();
        BlockingQueue<ApplicationEvent> events = new LinkedBlockingQueue<>();
        context.addListener(event -> {
            if (event instanceof ApplicationEvent.ResourceProfileAdded
                    || event instanceof ApplicationEvent.StageSubmitted) {
                events.add(event);
            }
        });
        Rdd<Integer> numbers = context.parallelize(List.of(1), 1).withResources(TWO_CORES);
        numbers.count();
        numbers.withResources(tasks(2)).count();
        ApplicationEvent.ResourceProfileAdded added = (ApplicationEvent.ResourceProfileAdded) events.take();
        assertEquals(1, added.profile());
        assertEquals(List.copyOf(TWO_CORES.taskResources().values()), added.taskResources());
        for (int job = 0; job < 2; job++) {
            assertEquals(
                    1, ((ApplicationEvent.StageSubmitted) events.take()).stage().profile());
        }
    }

    private static ResourceProfile tasks(int cpus) {
        return new ResourceProfileBuilder()
                .require(new TaskResourceRequests().cpus(cpus))
                .build();
    }
}
