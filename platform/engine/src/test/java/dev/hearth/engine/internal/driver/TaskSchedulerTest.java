package dev.hearth.engine.internal.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.plan.ActionKind;
import dev.hearth.engine.internal.plan.StageTemplate;
import dev.hearth.engine.internal.plan.TemplateId;
import dev.hearth.engine.internal.protocol.DriverProtocol.TaskFailure;
import dev.hearth.engine.internal.protocol.DriverProtocol.TaskUpdate;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.TaskLaunch;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.rpc.Bytes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TaskSchedulerTest {
    private static final StageTemplate COUNT = new StageTemplate(List.of(), ActionKind.COUNT, Bytes.EMPTY);
    private static final StageTemplate COLLECT = new StageTemplate(List.of(), ActionKind.COLLECT, Bytes.EMPTY);
    private static final ExecutorId A = new ExecutorId("a");
    private static final ExecutorId B = new ExecutorId("b");
    private static final int FAILURES_MAX = 3;

    private final TaskScheduler scheduler = new TaskScheduler(FAILURES_MAX);
    private final Recorder recorder = new Recorder();

    @Test
    void spreadsTasksOverExecutorsAndSendsATemplateOncePerExecutor() {
        scheduler.executorUp(A, "host-a", 2);
        scheduler.executorUp(B, "host-b", 2);
        submit(0, COUNT, 6);
        settle();

        assertEquals(List.of(0, 2), partitions(A));
        assertEquals(List.of(1, 3), partitions(B));
        assertEquals(2, recorder.defined);

        succeed(A, recorder.launched.get(A).get(0));
        settle();
        assertEquals(List.of(0, 2, 4), partitions(A));
        assertEquals(2, recorder.defined, "the template is known there already");
    }

    @Test
    void completesAJobWithItsValuesInPartitionOrder() {
        scheduler.executorUp(A, "host-a", 3);
        submit(0, COUNT, 3);
        settle();
        for (int i : new int[] {2, 0, 1}) {
            succeed(A, recorder.launched.get(A).get(i));
        }
        settle();
        assertEquals(List.of(value(0), value(1), value(2)), recorder.completed.get(0L));
        assertEquals(1, recorder.forgotten, "its template is of no more use");
        assertEquals(0, scheduler.runningTasks());
    }

    @Test
    void completesAJobWithoutPartitionsAtOnce() {
        submit(0, COUNT, 0);
        settle();
        assertEquals(List.of(), recorder.completed.get(0L));
    }

    @Test
    void triesAFailedPartitionAgainUntilTheBoundAndThenFailsTheJobWithWhatItThrew() {
        scheduler.executorUp(A, "host-a", 1);
        submit(0, COUNT, 1);
        for (int attempt = 0; attempt < FAILURES_MAX; attempt++) {
            settle();
            TaskLaunch launch = recorder.launched.get(A).get(attempt);
            assertEquals(attempt, launch.attempt());
            fail(A, launch, "boom " + attempt);
        }
        settle();
        String failure = String.valueOf(recorder.failed.get(0L).getMessage());
        assertTrue(failure.contains("failed 3 times") && failure.contains("boom 2"), failure);
        assertEquals(ErrorCode.TASK_FAILED.name(), recorder.failed.get(0L).code());
    }

    @Test
    void killsTheOtherTasksOfAFailedJobAndKeepsTheirCoresUntilTheyReport() {
        TaskScheduler strict = new TaskScheduler(1);
        strict.executorUp(A, "host-a", 2);
        strict.submit(0, TemplateId.of(COUNT), COUNT, inputs(2));
        strict.settle().forEach(effect -> effect.perform(recorder));
        strict.taskEnded(A, TaskUpdate.failed(recorder.launched.get(A).get(0).task(), new TaskFailure("x", List.of())));
        strict.submit(1, TemplateId.of(COLLECT), COLLECT, inputs(2));
        strict.settle().forEach(effect -> effect.perform(recorder));

        assertEquals(List.of(recorder.launched.get(A).get(1).task()), recorder.killed);
        assertEquals(2, strict.runningTasks(), "one killed task still holds its core, one new task has the other");
    }

    @Test
    void runsTheTasksOfALostExecutorElsewhereAndIgnoresItsLateWord() {
        scheduler.executorUp(A, "host-a", 1);
        scheduler.executorUp(B, "host-b", 1);
        submit(0, COUNT, 2);
        settle();
        TaskLaunch lost = recorder.launched.get(A).get(0);
        scheduler.executorLost(A, LostExecutor.because("killed"));
        succeed(A, lost);
        succeed(B, recorder.launched.get(B).get(0));
        settle();
        assertEquals(null, recorder.completed.get(0L), "the late word of a lost executor counts for nothing");
        assertEquals(lost.partition(), recorder.launched.get(B).get(1).partition());
        succeed(B, recorder.launched.get(B).get(1));
        settle();
        assertEquals(2, recorder.completed.get(0L).size());
    }

    @Test
    void countsNoFailureWhenAnExecutorWentByOrder() {
        for (int i = 0; i < FAILURES_MAX + 2; i++) {
            ExecutorId executor = new ExecutorId("e" + i);
            scheduler.executorUp(executor, "host", 1);
            if (i == 0) {
                submit(0, COUNT, 1);
            }
            settle();
            scheduler.executorLost(executor, LostExecutor.released("released"));
        }
        settle();
        assertEquals(Map.of(), recorder.failed);
        assertTrue(scheduler.isWaiting());
    }

    @Test
    void servesTheFirstJobFirst() {
        scheduler.executorUp(A, "host-a", 2);
        submit(0, COUNT, 3);
        submit(1, COLLECT, 1);
        settle();
        succeed(A, recorder.launched.get(A).get(0));
        settle();
        assertEquals(List.of(0, 1, 2), partitions(A), "the third task of the first job goes before the second job");
    }

    @Test
    void cancelsEachJobOnce() {
        scheduler.executorUp(A, "host-a", 1);
        submit(0, COUNT, 1);
        settle();
        scheduler.cancel(0, ErrorCode.CONTEXT_CLOSED.failure("closed"));
        scheduler.cancel(0, ErrorCode.CONTEXT_CLOSED.failure("closed"));
        settle();
        assertEquals(1, recorder.failures);
        assertEquals(1, recorder.killed.size());
    }

    /** Random jobs, executors, failures and losses: every job ends once, no slot is lost, none is used twice. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 42, 99})
    void endsEveryJobOnceWhateverHappens(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<ExecutorId, List<TaskLaunch>> open = recorder.open;
        int jobs = 20;
        int executorsMade = 0;
        for (int job = 0; job < jobs; job++) {
            submit(job, random.nextBoolean() ? COUNT : COLLECT, random.nextInt(6));
        }
        for (int step = 0; recorder.completed.size() + recorder.failed.size() < jobs; step++) {
            assertTrue(step < 10_000, "seed " + seed + ": jobs do not end");
            settle();
            List<ExecutorId> busy = new ArrayList<>(open.keySet());
            int dice = random.nextInt(10);
            if (busy.isEmpty() || dice == 0) {
                ExecutorId executor = new ExecutorId("e" + executorsMade++);
                recorder.cores.put(executor, 1 + random.nextInt(3));
                open.put(executor, new ArrayList<>());
                scheduler.executorUp(executor, "host", recorder.cores.get(executor));
            } else {
                ExecutorId executor = busy.get(random.nextInt(busy.size()));
                List<TaskLaunch> tasks = open.get(executor);
                if (dice == 1) {
                    open.remove(executor);
                    scheduler.executorLost(executor, LostExecutor.because("seed " + seed));
                } else if (!tasks.isEmpty()) {
                    TaskLaunch task = tasks.remove(random.nextInt(tasks.size()));
                    if (dice == 2) {
                        fail(executor, task, "random");
                    } else {
                        succeed(executor, task);
                    }
                }
            }
        }
        assertEquals(jobs, recorder.completions + recorder.failures, "seed " + seed);
        assertEquals(0, scheduler.activeJobs());
    }

    private void submit(long job, StageTemplate template, int partitions) {
        scheduler.submit(job, TemplateId.of(template), template, inputs(partitions));
    }

    private void settle() {
        scheduler.settle().forEach(effect -> effect.perform(recorder));
    }

    private void succeed(ExecutorId executor, TaskLaunch launch) {
        scheduler.taskEnded(executor, TaskUpdate.succeeded(launch.task(), value(launch.partition())));
    }

    private void fail(ExecutorId executor, TaskLaunch launch, String text) {
        scheduler.taskEnded(executor, TaskUpdate.failed(launch.task(), new TaskFailure(text, List.of())));
    }

    private List<Integer> partitions(ExecutorId executor) {
        return recorder.launched.get(executor).stream()
                .map(TaskLaunch::partition)
                .toList();
    }

    private static List<Bytes> inputs(int partitions) {
        return IntStream.range(0, partitions).mapToObj(TaskSchedulerTest::value).toList();
    }

    private static Bytes value(int partition) {
        return Bytes.owning(new byte[] {(byte) partition});
    }

    /** Keeps what the scheduler wanted done, and refuses more tasks than an executor has cores. */
    private static final class Recorder implements SchedulerEffect.Handler {
        private final Map<ExecutorId, List<TaskLaunch>> launched = new LinkedHashMap<>();
        private final Map<ExecutorId, List<TaskLaunch>> open = new LinkedHashMap<>();
        private final Map<ExecutorId, Integer> cores = new LinkedHashMap<>();
        private final Map<Long, List<Bytes>> completed = new LinkedHashMap<>();
        private final Map<Long, HearthException> failed = new LinkedHashMap<>();
        private final List<Long> killed = new ArrayList<>();
        private int defined;
        private int forgotten;
        private int completions;
        private int failures;

        @Override
        public void onDefine(SchedulerEffect.Define effect) {
            defined++;
        }

        @Override
        public void onLaunch(SchedulerEffect.Launch effect) {
            launched.computeIfAbsent(effect.executor(), id -> new ArrayList<>()).addAll(effect.tasks());
            List<TaskLaunch> running = open.computeIfAbsent(effect.executor(), id -> new ArrayList<>());
            running.addAll(effect.tasks());
            int most = cores.getOrDefault(effect.executor(), Integer.MAX_VALUE);
            assertTrue(running.size() <= most, () -> effect.executor() + " runs " + running.size() + " of " + most);
        }

        @Override
        public void onKill(SchedulerEffect.Kill effect) {
            killed.add(effect.task());
        }

        @Override
        public void onForget(SchedulerEffect.Forget effect) {
            forgotten++;
        }

        @Override
        public void onCompleted(SchedulerEffect.Completed effect) {
            completions++;
            completed.put(effect.job(), effect.values());
        }

        @Override
        public void onFailed(SchedulerEffect.Failed effect) {
            failures++;
            failed.put(effect.job(), effect.failure());
        }
    }
}
