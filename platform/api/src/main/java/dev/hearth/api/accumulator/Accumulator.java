package dev.hearth.api.accumulator;

import dev.hearth.api.HearthException;
import dev.hearth.api.launch.TaskRuntime;
import java.io.Serial;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A handle on one accumulator: inside a task it adds to the task's own part; on the driver it adds to, and reads, the whole.
 * <p>Parts of tasks of a result stage count once per partition, when the task has succeeded; those of a stage before a
 * shuffle count once per partition as well. Handles travel with functions; any thread may use one.
 */
public final class Accumulator<T, R> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final long id;
    private final String name;
    private final Accumulation<T, R> empty;

    @SuppressWarnings("serial") // stays behind: what travels is the handle
    private final transient @Nullable Accumulation<T, R>
            whole; // guarded by this; null where the handle has travelled to

    /** For engines: a context makes them. */
    public Accumulator(long id, String name, Accumulation<T, R> empty) {
        this(id, name, empty.fresh(), empty.fresh());
    }

    private Accumulator(long id, String name, Accumulation<T, R> empty, @Nullable Accumulation<T, R> whole) {
        this.id = id;
        this.name = name;
        this.empty = empty;
        this.whole = whole;
    }

    /** Which of the application's accumulators it is. <pre>{@code long id = context.longAccumulator("lines").id();}</pre> */
    public long id() {
        return id;
    }

    /** What it is shown as; empty when it is not to be shown. <pre>{@code String name = context.longAccumulator("lines").name();}</pre> */
    public String name() {
        return name;
    }

    /**
     * Adds an element, in a task or on the driver.
     * <pre>{@code Accumulator<Long, Long> blank = context.longAccumulator("blank lines");
     * lines.foreach(line -> blank.add(line.isBlank() ? 1L : 0L));}</pre>
     */
    public void add(T element) {
        TaskRuntime task = TaskRuntime.current();
        if (task != null) {
            task.accumulation(id, empty::fresh).add(element);
        } else {
            synchronized (this) {
                whole().add(element);
            }
        }
    }

    /**
     * What was gathered so far; on the driver alone.
     * <pre>{@code Accumulator<Long, Long> seen = context.longAccumulator("seen");
     * lines.foreach(line -> seen.add(1L));
     * System.out.println(seen.value());}</pre>
     */
    public R value() {
        synchronized (this) {
            return whole().value();
        }
    }

    /** For engines: takes over a successful task's part. */
    public void merge(Accumulation<T, R> part) {
        synchronized (this) {
            whole().merge(part);
        }
    }

    private Accumulation<T, R> whole() {
        if (whole == null || TaskRuntime.current() != null) {
            throw new HearthException(
                    "WRONG_THREAD",
                    "accumulator " + (name.isEmpty() ? id : name)
                            + ": read inside a task (expected: on the driver, when the job has ended)");
        }
        return whole;
    }

    @Serial
    private Object readResolve() {
        return new Accumulator<>(id, name, empty, null);
    }

    @Override
    public String toString() {
        return whole == null ? "accumulator " + id : String.valueOf(value());
    }
}
