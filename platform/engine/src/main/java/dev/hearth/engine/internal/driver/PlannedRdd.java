package dev.hearth.engine.internal.driver;

import dev.hearth.api.Rdd;
import dev.hearth.api.function.FilterFunction;
import dev.hearth.api.function.MapFunction;
import dev.hearth.api.function.ReduceFunction;
import dev.hearth.engine.internal.plan.ActionKind;
import dev.hearth.engine.internal.plan.StageTemplate;
import dev.hearth.engine.internal.plan.Step;
import dev.hearth.engine.internal.plan.StepKind;
import dev.hearth.engine.internal.serial.UserObjects;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.rpc.Bytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A dataset as its partitions and the steps over them. Immutable. Functions are captured as bytes where a transformation is
 * written, so what cannot travel is refused at that line, and later changes to what was captured have no effect.
 */
final class PlannedRdd<T> implements Rdd<T> {
    private final DriverContext context;
    private final Partitions source;
    private final List<Step> steps;

    PlannedRdd(DriverContext context, Partitions source, List<Step> steps) {
        this.context = context;
        this.source = source;
        this.steps = steps;
    }

    @Override
    public int partitions() {
        return source.count();
    }

    @Override
    public <R> Rdd<R> map(MapFunction<? super T, ? extends R> function) {
        return then(StepKind.MAP, function, "function given to map");
    }

    @Override
    public Rdd<T> filter(FilterFunction<? super T> function) {
        return then(StepKind.FILTER, function, "function given to filter");
    }

    @Override
    public long count() {
        return context.await(counting());
    }

    @Override
    public List<T> collect() {
        return context.await(collecting());
    }

    @Override
    public T reduce(ReduceFunction<T> function) {
        return context.await(reducing(function));
    }

    Action<Long> counting() {
        return new Action<>(template(ActionKind.COUNT, Bytes.EMPTY), values -> {
            long total = 0;
            for (Bytes value : values) {
                total += ByteBuffer.wrap(value.toArray()).getLong();
            }
            return total;
        });
    }

    @SuppressWarnings("unchecked") // the elements were of this type when the tasks wrote them
    Action<List<T>> collecting() {
        return new Action<>(template(ActionKind.COLLECT, Bytes.EMPTY), values -> {
            List<T> all = new ArrayList<>();
            for (Bytes value : values) {
                if (value.size() > 0) {
                    Arrays.stream(elements(value)).forEach(element -> all.add((T) element));
                }
            }
            return all;
        });
    }

    @SuppressWarnings("unchecked")
    Action<T> reducing(ReduceFunction<T> function) {
        Bytes captured = context.objects().write(function, "function given to reduce");
        return new Action<>(template(ActionKind.REDUCE, captured), values -> {
            List<Bytes> present =
                    values.stream().filter(value -> value.size() > 0).toList();
            if (present.isEmpty()) {
                throw ErrorCode.EMPTY_DATASET.failure(
                        "reduce: the dataset has no elements (expected: one or more); test with count() first");
            }
            T joined = (T) elements(present.get(0))[0];
            for (Bytes value : present.subList(1, present.size())) {
                joined = apply(function, joined, (T) elements(value)[0]);
            }
            return joined;
        });
    }

    private T apply(ReduceFunction<T> function, T left, T right) {
        try {
            return function.apply(left, right);
        } catch (RuntimeException thrown) {
            throw thrown;
        } catch (Exception thrown) {
            throw ErrorCode.TASK_FAILED.failure("function given to reduce: threw " + thrown, thrown);
        }
    }

    private Object[] elements(Bytes value) {
        return (Object[]) context.objects().read(value, "result of a task");
    }

    private <R> PlannedRdd<R> then(StepKind kind, Object function, String subject) {
        List<Step> longer = new ArrayList<>(steps);
        longer.add(new Step(kind, context.objects().write(function, subject)));
        return new PlannedRdd<>(context, source, List.copyOf(longer));
    }

    private StageTemplate template(ActionKind action, Bytes function) {
        return new StageTemplate(steps, action, function);
    }

    /** Where the elements come from: the partitions as bytes, made when a job needs them. */
    interface Partitions {
        int count();

        List<Bytes> inputs();
    }

    /** Elements of the driver, cut evenly. */
    record Slices(List<?> elements, int count, UserObjects objects) implements Partitions {
        @Override
        public List<Bytes> inputs() {
            List<Bytes> inputs = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                int from = (int) ((long) i * elements.size() / count);
                int to = (int) ((long) (i + 1) * elements.size() / count);
                inputs.add(
                        from == to
                                ? Bytes.EMPTY
                                : objects.write(elements.subList(from, to).toArray(), "elements given to parallelize"));
            }
            return inputs;
        }
    }

    /** A job to run, and what makes its result of the tasks' values; that runs on the thread that asked. */
    final class Action<R> {
        private final StageTemplate template;
        private final Merge<R> merge;

        private Action(StageTemplate template, Merge<R> merge) {
            this.template = template;
            this.merge = merge;
        }

        CompletionStage<List<Bytes>> start(long job) {
            return context.driver().run(job, template, source.inputs());
        }

        R merge(List<Bytes> values) {
            return merge.merge(values);
        }
    }

    /** Makes a result of the tasks' values. */
    @FunctionalInterface
    private interface Merge<R> {
        R merge(List<Bytes> values);
    }
}
