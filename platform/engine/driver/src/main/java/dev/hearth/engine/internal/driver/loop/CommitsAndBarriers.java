package dev.hearth.engine.internal.driver.loop;

import dev.hearth.api.HearthException;
import dev.hearth.api.event.TaskInfo;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.task.BarrierTaskContext;
import dev.hearth.engine.internal.barrier.BarrierAnswer;
import dev.hearth.engine.internal.barrier.BarrierCall;
import dev.hearth.engine.internal.barrier.BarrierCoordinator;
import dev.hearth.engine.internal.commit.OutputCommitCoordinator;
import dev.hearth.engine.internal.executor.DriverCalls;
import dev.hearth.engine.internal.plan.LaunchBatch;
import dev.hearth.engine.internal.scheduler.TaskSetId;
import dev.hearth.engine.internal.scheduler.TaskSetSpec;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Answers calls of running tasks. A task may request to commit its output, wait at a barrier, or ask for the addresses
 * of its barrier stage's tasks. Thread-safe; the driver's event loop owns the state and answers the calls.
 */
final class CommitsAndBarriers implements DriverCalls {
    private static final BarrierTaskContext.Address NOWHERE = new BarrierTaskContext.Address("", "");

    private final EventLoop loop;
    private final OutputCommitCoordinator commits = new OutputCommitCoordinator();
    private final BarrierCoordinator rounds;
    private final Map<TaskSetId, BarrierTaskContext.Address[]> addresses = new LinkedHashMap<>();
    private final Map<Long, CompletableFuture<List<String>>> waiting = new LinkedHashMap<>(); // by request
    private long requests;
    private Runnable waitingListener = () -> {};

    CommitsAndBarriers(EventLoop loop, Duration barrierTimeout) {
        this.loop = loop;
        this.rounds = new BarrierCoordinator(barrierTimeout);
    }

    /**
     * Sets the listener that is called when a task begins to wait at a barrier, because the time returned by
     * {@link #nextWakeNanos} may then change.
     */
    void onWaiting(Runnable listener) {
        waitingListener = listener;
    }

    void submitted(TaskSetSpec tasks) {
        commits.opened(tasks.id());
        if (tasks.plan().barrier()) {
            rounds.opened(tasks.id(), tasks.partitions().length);
            BarrierTaskContext.Address[] places =
                    new BarrierTaskContext.Address[tasks.plan().partitions()];
            Arrays.fill(places, NOWHERE);
            addresses.put(tasks.id(), places);
        }
    }

    void launched(LaunchBatch batch, ExecutorId executor, String address) {
        BarrierTaskContext.Address[] places = addresses.get(new TaskSetId(batch.stage(), batch.stageAttempt()));
        for (int index = 0; places != null && index < batch.size(); index++) {
            places[batch.partition(index)] = new BarrierTaskContext.Address(address, executor.value());
        }
    }

    void taskEnded(TaskSetId set, TaskInfo task, TaskOutcome outcome) {
        commits.ended(task, outcome);
        if (addresses.containsKey(set)) {
            rounds.ended(set, task.partition());
            answer();
        }
    }

    void setEnded(TaskSetId set) {
        commits.over(set);
        rounds.over(set);
        addresses.remove(set);
        answer();
    }

    void tick(long nowNanos) {
        rounds.tick(nowNanos);
        answer();
    }

    OptionalLong nextWakeNanos() {
        return rounds.nextWakeNanos();
    }

    /** Fails the barrier calls of tasks in this process that still wait for an answer. */
    void close() {
        List<CompletableFuture<List<String>>> pending = new ArrayList<>(waiting.values());
        waiting.clear();
        pending.forEach(call -> call.completeExceptionally(closed()));
    }

    @Override
    public CompletionStage<Boolean> mayCommit(int stage, int stageAttempt, int partition, int attempt) {
        return onLoop(() -> commits.mayCommit(new TaskSetId(stage, stageAttempt), partition, attempt));
    }

    @Override
    public CompletionStage<List<String>> barrier(BarrierArrival meeting) {
        CompletableFuture<List<String>> released = new CompletableFuture<>();
        loop.execute(new Question(released, () -> {
            long request = requests++;
            waiting.put(request, released);
            rounds.call(
                    new BarrierCall(
                            request,
                            new TaskSetId(meeting.stage(), meeting.stageAttempt()),
                            meeting.partition(),
                            meeting.gathers() ? BarrierCall.Kind.ALL_GATHER : BarrierCall.Kind.BARRIER,
                            meeting.message()),
                    loop.ticker().nanos());
            answer();
            waitingListener.run();
        }));
        return released;
    }

    @Override
    public CompletionStage<List<BarrierTaskContext.Address>> addresses(int stage, int stageAttempt) {
        return onLoop(() -> {
            BarrierTaskContext.Address[] places = addresses.get(new TaskSetId(stage, stageAttempt));
            if (places == null) {
                throw ErrorCode.BARRIER_FAILED.failure("stage " + stage + ", attempt " + stageAttempt
                        + ": is over, or is no barrier stage (expected: a call of a barrier task that runs); no"
                        + " action is needed");
            }
            return List.of(places);
        });
    }

    private <R> CompletionStage<R> onLoop(Supplier<R> question) {
        CompletableFuture<R> answer = new CompletableFuture<>();
        loop.execute(new Question(answer, () -> {
            try {
                answer.complete(question.get());
            } catch (RuntimeException refused) {
                answer.completeExceptionally(refused);
            }
        }));
        return answer;
    }

    /**
     * Call of a task in this process to its driver, posted to the event loop. On the loop, {@code answering} handles
     * the call and completes {@code answer}, for which the task waits. The call fails if the event loop has been
     * closed.
     */
    private record Question(CompletableFuture<?> answer, Runnable answering) implements EventLoop.Droppable {
        @Override
        public void run() {
            answering.run();
        }

        @Override
        public void dropped() {
            answer.completeExceptionally(closed());
        }
    }

    private static HearthException closed() {
        return ErrorCode.CONTEXT_CLOSED.failure(
                "request of a task to its driver: the context was closed (expected: open while tasks run); no action"
                        + " is needed");
    }

    private void answer() {
        for (BarrierAnswer answer : rounds.drain()) {
            CompletableFuture<List<String>> call = waiting.remove(answer.request());
            if (call != null && answer instanceof BarrierAnswer.Released released) {
                call.complete(released.messages());
            } else if (call != null && answer instanceof BarrierAnswer.Refused refused) {
                call.completeExceptionally(refused.failure());
            }
        }
    }
}
