package dev.hearth.engine.internal.barrier;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.scheduler.TaskSetId;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Quantity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Coordinator of the global barriers of barrier stages. Each barrier is one round, which releases either all tasks of a
 * stage attempt together or none. A state machine, owned by the driver's event loop. The coordinator keeps state for a
 * stage attempt from {@link #opened} to {@link #over}.
 *
 * <p>Invariant: once a round has failed, every later call of the stage attempt fails with the same reason. The tasks of
 * a barrier stage can only run again together, in a new attempt.
 */
public final class BarrierCoordinator {
    /** The maximum length of the message of one task in one round, in characters. */
    static final int MESSAGE_CHARS_MAX = 1 << 20;
    /**
     * The maximum total length of the messages in one round, in characters. It is bounded because each task receives
     * all messages.
     */
    static final int ROUND_CHARS_MAX = 16 << 20;

    private final Duration timeout;
    private final Map<TaskSetId, Gathering> gatherings = new LinkedHashMap<>();
    private List<BarrierAnswer> answers = new ArrayList<>();

    public BarrierCoordinator(Duration timeout) {
        this.timeout = timeout;
    }

    private static final class Gathering {
        private final TaskSetId set;
        private final int tasks;
        private final SortedMap<Integer, BarrierCall> waiting = new TreeMap<>();
        private int round = 1;
        private long chars;
        private long sinceNanos;
        private int endedPartition = -1; // one partition whose task has ended, or -1 if none has
        private Optional<HearthException> failure = Optional.empty();

        Gathering(TaskSetId set, int tasks) {
            this.set = set;
            this.tasks = tasks;
        }

        HearthException failure(String what, String next) {
            return ErrorCode.BARRIER_FAILED.failure("barrier of stage " + set.stage() + ", attempt " + set.attempt()
                    + ", round " + round + ": " + what + " (expected: each of its " + tasks
                    + " tasks makes the same call once); " + next);
        }
    }

    /**
     * Handles the start of an attempt of a barrier stage: from now on its tasks may enter barriers. {@code tasks} is
     * their number.
     */
    public void opened(TaskSetId set, int tasks) {
        gatherings.put(set, new Gathering(set, tasks));
    }

    /**
     * Handles the call of a task that enters the barrier. A retry of a call that is already known changes nothing, so
     * each call is answered once.
     */
    public void call(BarrierCall call, long nowNanos) {
        Gathering gathering = gatherings.get(call.set());
        if (gathering == null) {
            refuse(
                    call,
                    ErrorCode.BARRIER_FAILED.failure("barrier of stage "
                            + call.set().stage() + ", attempt " + call.set().attempt()
                            + ": is over (expected: calls while all its tasks run); no action is needed"));
            return;
        }
        if (gathering.failure.isPresent()) {
            refuse(call, gathering.failure.get());
            return;
        }
        BarrierCall before = gathering.waiting.get(call.partition());
        if (before != null && before.request() == call.request()) {
            return;
        }
        Optional<HearthException> wrong = wrong(gathering, call);
        if (wrong.isPresent()) {
            refuse(call, wrong.get());
            fail(gathering, wrong.get());
        } else {
            join(gathering, call, nowNanos);
        }
    }

    private static Optional<HearthException> wrong(Gathering gathering, BarrierCall call) {
        int partition = call.partition();
        String who = "the task of partition " + partition;
        if (partition < 0 || partition >= gathering.tasks) {
            return Optional.of(gathering.failure(who + " is not of this stage", "this is a defect of the engine"));
        }
        if (gathering.endedPartition >= 0) {
            return Optional.of(gathering.failure(
                    "the task of partition " + gathering.endedPartition + " has ended",
                    "let all tasks make the same number of calls"));
        }
        if (gathering.waiting.containsKey(partition)) {
            return Optional.of(gathering.failure(who + " called twice", "call it from one thread of the task"));
        }
        if (!gathering.waiting.isEmpty()) {
            BarrierCall other = gathering.waiting.get(gathering.waiting.firstKey());
            if (other.kind() != call.kind()) {
                return Optional.of(gathering.failure(
                        who + " called " + call.kind() + " and that of partition " + other.partition() + " "
                                + other.kind(),
                        "let all tasks make the same calls in the same order"));
            }
        }
        if (call.message().length() > MESSAGE_CHARS_MAX
                || gathering.chars + call.message().length() > ROUND_CHARS_MAX) {
            return Optional.of(gathering.failure(
                    who + " sent " + call.message().length() + " characters in addition to " + gathering.chars
                            + " of others; the bounds are " + MESSAGE_CHARS_MAX + " each and " + ROUND_CHARS_MAX
                            + " together",
                    "exchange large data through a shuffle"));
        }
        return Optional.empty();
    }

    private void join(Gathering gathering, BarrierCall call, long nowNanos) {
        if (gathering.waiting.isEmpty()) {
            gathering.sinceNanos = nowNanos;
        }
        gathering.waiting.put(call.partition(), call);
        gathering.chars += call.message().length();
        if (gathering.waiting.size() < gathering.tasks) {
            return;
        }
        List<String> messages = call.kind() == BarrierCall.Kind.BARRIER
                ? List.of()
                : gathering.waiting.values().stream().map(BarrierCall::message).toList();
        gathering.waiting.values().forEach(each -> answers.add(new BarrierAnswer.Released(each.request(), messages)));
        gathering.waiting.clear();
        gathering.chars = 0;
        gathering.round++;
    }

    /**
     * Handles the end of a task, whether it succeeded or failed. Fails the current barrier round of its stage attempt
     * if other tasks wait in it, because the ended task can no longer enter.
     */
    public void ended(TaskSetId set, int partition) {
        Gathering gathering = gatherings.get(set);
        if (gathering != null && gathering.failure.isEmpty()) {
            gathering.endedPartition = partition;
            if (!gathering.waiting.isEmpty()) {
                fail(
                        gathering,
                        gathering.failure(
                                "the task of partition " + partition + " ended while " + gathering.waiting.size()
                                        + " waited",
                                "see why it ended, or let all tasks make the same number of calls"));
            }
        }
    }

    /**
     * Handles the end of a stage attempt: fails the barrier calls of its tasks that still wait, and removes the state
     * of its barrier.
     */
    public void over(TaskSetId set) {
        Gathering gathering = gatherings.remove(set);
        if (gathering != null) {
            fail(gathering, gathering.failure("the attempt is over", "see why its stage ended"));
        }
    }

    /**
     * Fails each barrier round in which some tasks have waited longer than the timeout for the other tasks of their
     * stage attempt.
     */
    public void tick(long nowNanos) {
        for (Gathering gathering : gatherings.values()) {
            if (!gathering.waiting.isEmpty() && nowNanos - gathering.sinceNanos >= timeout.toNanos()) {
                int missing = 0;
                while (gathering.waiting.containsKey(missing)) {
                    missing++;
                }
                fail(
                        gathering,
                        gathering.failure(
                                Quantity.of(gathering.waiting.size(), "task")
                                        + " waited for hearth.barrier.sync.timeout=" + timeout.toSeconds()
                                        + "s, the task of partition " + missing + " did not call",
                                "see what that task does, or raise the timeout"));
            }
        }
    }

    /** The time at which {@link #tick} must be called next, because a round may exceed its timeout. */
    public OptionalLong nextWakeNanos() {
        return gatherings.values().stream()
                .filter(gathering -> !gathering.waiting.isEmpty())
                .mapToLong(gathering -> gathering.sinceNanos + timeout.toNanos())
                .reduce((a, b) -> a - b < 0 ? a : b);
    }

    /** Removes and returns the answers to barrier calls since the last call of this method, in order. */
    public List<BarrierAnswer> drain() {
        List<BarrierAnswer> drained = answers;
        answers = new ArrayList<>();
        return drained;
    }

    private void fail(Gathering gathering, HearthException failure) {
        gathering.failure = Optional.of(failure);
        gathering.waiting.values().forEach(call -> refuse(call, failure));
        gathering.waiting.clear();
    }

    private void refuse(BarrierCall call, HearthException failure) {
        answers.add(new BarrierAnswer.Refused(call.request(), failure));
    }
}
