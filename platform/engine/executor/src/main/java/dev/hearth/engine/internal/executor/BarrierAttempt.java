package dev.hearth.engine.internal.executor;

import dev.hearth.api.task.BarrierTaskContext;
import java.util.List;

/**
 * Task attempt of a barrier stage. Numbers its barrier calls, so that the driver can match them with those of the other
 * tasks. Owned by the thread that runs the attempt.
 */
final class BarrierAttempt extends TaskAttempt implements BarrierTaskContext {
    private int rounds;

    BarrierAttempt(TaskServices services, TaskBatch batch, int index, long begunNanos) {
        super(services, batch, index, begunNanos);
    }

    @Override
    public void barrier() {
        meet(false, "");
    }

    @Override
    public List<String> allGather(String message) {
        return meet(true, message);
    }

    @Override
    public List<Address> addresses() {
        return await(
                services.driver().addresses(stage(), stageAttempt()), "addresses of the tasks of stage " + stage());
    }

    private List<String> meet(boolean gathers, String message) {
        checkKilled();
        DriverCalls.BarrierArrival meeting = new DriverCalls.BarrierArrival(
                stage(), stageAttempt(), partition(), partitions(), rounds, gathers, message);
        rounds++;
        List<String> brought = await(services.driver().barrier(meeting), "barrier of stage " + stage());
        checkKilled();
        return brought;
    }
}
