package dev.hearth.engine.internal.executor;

import dev.hearth.api.function.FilterFunction;
import dev.hearth.api.function.MapFunction;
import dev.hearth.api.function.ReduceFunction;
import dev.hearth.engine.internal.plan.StageTemplate;
import dev.hearth.engine.internal.plan.Step;
import dev.hearth.engine.internal.serial.UserObjects;
import dev.hearth.spi.rpc.Bytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stage template made ready to run: functions without state are read once, all others anew for every task.
 * Immutable but for the lazily read functions; tasks of several threads share it.
 */
final class PreparedStage {
    private final StageTemplate template;
    private final UserObjects objects;
    private final @Nullable Object[] shared; // a function per step and one for the action; benign races: equal values

    PreparedStage(StageTemplate template, UserObjects objects) {
        this.template = template;
        this.objects = objects;
        this.shared = new @Nullable Object[template.steps().size() + 1];
    }

    /** Runs one task over its partition and returns what the driver gets. */
    Bytes run(Bytes input) throws Exception {
        Object[] functions = functions();
        Sink sink = sink(functions[functions.length - 1]);
        for (int step = template.steps().size() - 1; step >= 0; step--) {
            sink = stepSink(template.steps().get(step), functions[step], sink);
        }
        Object[] elements = input.size() == 0 ? new Object[0] : (Object[]) objects.read(input, "partition");
        for (Object element : elements) {
            if (Thread.interrupted()) {
                throw new InterruptedException("task was killed");
            }
            sink.accept(element);
        }
        return sink.result();
    }

    private Object[] functions() {
        List<Step> steps = template.steps();
        Object[] functions = new Object[steps.size() + 1];
        for (int i = 0; i < steps.size(); i++) {
            functions[i] = function(
                    i, steps.get(i).function(), "function of " + steps.get(i).kind());
        }
        functions[steps.size()] = template.function().size() == 0
                ? template.action()
                : function(steps.size(), template.function(), "function of " + template.action());
        return functions;
    }

    private Object function(int index, Bytes bytes, String subject) {
        Object known = shared[index];
        if (known != null) {
            return known;
        }
        Object read = objects.read(bytes, subject);
        if (UserObjects.isStateless(read)) {
            shared[index] = read;
        }
        return read;
    }

    @SuppressWarnings("unchecked") // what the bytes hold was checked by the compiler where the function was captured
    private static Sink stepSink(Step step, Object function, Sink next) {
        return switch (step.kind()) {
            case MAP -> new MapSink((MapFunction<Object, Object>) function, next);
            case FILTER -> new FilterSink((FilterFunction<Object>) function, next);
            case FLAT_MAP, PARTITIONS, INDEXED_PARTITIONS, MAP_VALUES ->
                throw new IllegalArgumentException("step " + step.kind() + ": not of this form");
        };
    }

    @SuppressWarnings("unchecked")
    private Sink sink(Object function) {
        return switch (template.action()) {
            case COUNT -> new CountSink();
            case COLLECT -> new CollectSink(objects);
            case REDUCE -> new ReduceSink(objects, (ReduceFunction<Object>) function);
        };
    }

    /** Takes elements one by one and has a result in the end. */
    private interface Sink {
        void accept(Object element) throws Exception;

        Bytes result();
    }

    private record MapSink(MapFunction<Object, Object> function, Sink next) implements Sink {
        @Override
        public void accept(Object element) throws Exception {
            next.accept(function.apply(element));
        }

        @Override
        public Bytes result() {
            return next.result();
        }
    }

    private record FilterSink(FilterFunction<Object> function, Sink next) implements Sink {
        @Override
        public void accept(Object element) throws Exception {
            if (function.test(element)) {
                next.accept(element);
            }
        }

        @Override
        public Bytes result() {
            return next.result();
        }
    }

    private static final class CountSink implements Sink {
        private long count;

        @Override
        public void accept(Object element) {
            count++;
        }

        @Override
        public Bytes result() {
            return Bytes.owning(ByteBuffer.allocate(Long.BYTES).putLong(count).array());
        }
    }

    private static final class CollectSink implements Sink {
        private final UserObjects objects;
        private final List<Object> elements = new ArrayList<>();

        CollectSink(UserObjects objects) {
            this.objects = objects;
        }

        @Override
        public void accept(Object element) {
            elements.add(element);
        }

        @Override
        public Bytes result() {
            return elements.isEmpty() ? Bytes.EMPTY : objects.write(elements.toArray(), "collected elements");
        }
    }

    private static final class ReduceSink implements Sink {
        private final UserObjects objects;
        private final ReduceFunction<Object> function;
        private Object[] joined = {}; // empty until the first element, which may be null

        ReduceSink(UserObjects objects, ReduceFunction<Object> function) {
            this.objects = objects;
            this.function = function;
        }

        @Override
        public void accept(Object element) throws Exception {
            joined = joined.length == 0 ? new Object[] {element} : new Object[] {function.apply(joined[0], element)};
        }

        @Override
        public Bytes result() {
            return joined.length == 0 ? Bytes.EMPTY : objects.write(joined, "reduced element");
        }
    }

    @Override
    public String toString() {
        return template.action() + " over "
                + Arrays.toString(template.steps().stream().map(Step::kind).toArray());
    }
}
