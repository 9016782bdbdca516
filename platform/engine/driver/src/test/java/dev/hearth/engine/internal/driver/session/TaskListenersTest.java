package dev.hearth.engine.internal.driver.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.JobFuture;
import dev.hearth.api.task.TaskContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Listeners for the end of a task, and the local properties that a task sees. */
@Timeout(60)
@SuppressWarnings("serial") // its functions reach what is private to it
class TaskListenersTest {
    private static final int BOUND_SECONDS = 30;
    private static final BlockingQueue<String> HEARD = new LinkedBlockingQueue<>();
    private static final BlockingQueue<Long> BEGUN = new LinkedBlockingQueue<>(); // tasks, by their ids
    private static volatile CountDownLatch stuck = new CountDownLatch(1);

    @RegisterExtension
    private final LocalContext local = new LocalContext();

    private final HearthContext context = local.open();

    @Test
    void aListenerFreesATaskThatIgnoresItsInterrupt() throws Exception {
        stuck = new CountDownLatch(1);
        HEARD.clear();
        JobFuture<Void> job = waits();
        assertTrue(context.killTask(BEGUN.take(), false, "on purpose"));
        assertEquals("last: on purpose, true, true", HEARD.poll(BOUND_SECONDS, TimeUnit.SECONDS));
        assertEquals("first: on purpose", HEARD.poll(BOUND_SECONDS, TimeUnit.SECONDS));
        assertEquals("late: on purpose", HEARD.poll(BOUND_SECONDS, TimeUnit.SECONDS));
        job.get(BOUND_SECONDS, TimeUnit.SECONDS); // the second attempt ends well, and calls none
        assertEquals(List.of(), List.copyOf(HEARD));
    }

    private JobFuture<Void> waits() {
        return context.parallelize(List.of(1), 1).foreachAsync(number -> {
            TaskContext task = TaskContext.current();
            task.onInterrupt((ended, reason) -> {
                HEARD.add("first: " + reason);
                stuck.countDown();
            });
            task.onInterrupt((ended, reason) -> {
                throw new IllegalStateException("in a listener");
            });
            task.onInterrupt((ended, reason) -> HEARD.add("last: " + reason + ", " + ended.isInterrupted() + ", "
                    + TaskContext.find().isEmpty()));
            BEGUN.add(task.taskId());
            if (task.attempt() == 0) {
                stuck.await();
                task.onInterrupt((ended, reason) -> HEARD.add("late: " + reason));
            }
        });
    }

    @Test
    void failureListenersAreGivenTheTask() throws Exception {
        HEARD.clear();
        JobFuture<Void> job = context.parallelize(List.of(1), 1).foreachAsync(number -> {
            TaskContext.current()
                    .onFailure((task, failure) -> HEARD.add(task.partition() + " " + failure.getMessage()));
            throw new IllegalStateException("no use");
        });
        assertTrue(assertThrows(ExecutionException.class, job::get).getCause() instanceof HearthException);
        assertEquals("0 no use", HEARD.poll(BOUND_SECONDS, TimeUnit.SECONDS));
    }

    @Test
    void tasksKnowAllPropertiesOfTheirJob() {
        context.localProperty("tenant", "north");
        context.localProperty("report", "monday");
        Map<String, String> known = context.parallelize(List.of(1), 1)
                .map(number -> TaskContext.current().localProperties())
                .map(HashMap::new)
                .first();
        assertEquals("north", known.get("tenant"));
        assertEquals("monday", known.get("report"));
        context.localProperty("tenant", null);
        context.localProperty("report", null);
    }
}
