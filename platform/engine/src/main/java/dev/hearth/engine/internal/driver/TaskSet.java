package dev.hearth.engine.internal.driver;

import dev.hearth.engine.internal.plan.StageTemplate;
import dev.hearth.engine.internal.plan.TemplateId;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.TaskLaunch;
import dev.hearth.spi.rpc.Bytes;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of one stage: which wait, which run, which are done. Owned by {@link TaskScheduler}.
 * <p>Per partition: WAITING, RUNNING (at most one attempt), DONE; a failed attempt leads from RUNNING to WAITING.
 */
final class TaskSet {
    private final long job;
    private final TemplateId template;
    private final StageTemplate body;
    private final List<Bytes> inputs;
    private final @Nullable Bytes[] values;
    private final int[] failures;
    private final int[] attempts;
    private final ArrayDeque<Integer> again = new ArrayDeque<>(); // failed ones, tried before those never tried
    private int nextFresh;
    private int done;

    TaskSet(long job, TemplateId template, StageTemplate body, List<Bytes> inputs) {
        this.job = job;
        this.template = template;
        this.body = body;
        this.inputs = inputs;
        this.values = new @Nullable Bytes[inputs.size()];
        this.failures = new int[inputs.size()];
        this.attempts = new int[inputs.size()];
    }

    long job() {
        return job;
    }

    TemplateId template() {
        return template;
    }

    StageTemplate body() {
        return body;
    }

    boolean hasWaiting() {
        return !again.isEmpty() || nextFresh < inputs.size();
    }

    boolean isDone() {
        return done == inputs.size();
    }

    /** Takes the next waiting partition as task {@code task}. */
    TaskLaunch next(long task) {
        int partition = again.isEmpty() ? nextFresh++ : again.poll();
        return new TaskLaunch(task, partition, attempts[partition]++, inputs.get(partition));
    }

    void succeed(int partition, Bytes value) {
        if (values[partition] == null) {
            values[partition] = value;
            done++;
        }
    }

    /** Puts a partition back and returns how often it has failed. */
    int fail(int partition) {
        again.add(partition);
        return ++failures[partition];
    }

    /** Puts a partition back whose attempt ended through no fault of its own. */
    void putBack(int partition) {
        again.add(partition);
    }

    /** The values in partition order, once all are there. */
    List<Bytes> values() {
        return Arrays.asList(values.clone());
    }
}
