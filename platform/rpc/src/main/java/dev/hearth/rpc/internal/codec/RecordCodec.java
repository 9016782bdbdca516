package dev.hearth.rpc.internal.codec;

import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Codec of one record type: its components in order. A nested record is prefixed with its length, so that either side
 * may know more components than the other. A frequently used record gets a compiled serializer; threads that race may
 * lose counts or compile twice, which is harmless.
 * <p>Created by {@link CodecCompiler}, which links it before other threads see it. Any thread may call.
 */
final class RecordCodec implements ValueCodec {
    /** Number of uses after which compilation, which takes milliseconds, pays off; measured in ADR 0011. */
    static final int USES_TO_COMPILE = 100_000;

    private final RecordAccessor shape;
    private final ValueCodec[] codecs;
    private final GenericRecordSerializer generic;
    private final Executor compilations;
    private volatile RecordSerializer form;
    private int uses; // counts uses of the generic serializer
    private @Nullable Object defaultValue;
    private @Nullable String defaultRefused;

    RecordCodec(RecordAccessor shape, int components, Executor compilations) {
        this.shape = shape;
        this.codecs = new ValueCodec[components];
        this.generic = new GenericRecordSerializer(shape, codecs);
        this.form = generic;
        this.compilations = compilations;
    }

    /** Sets the codec of a component. Separate from the constructor because records may contain lists of themselves. */
    void link(int component, ValueCodec codec) {
        codecs[component] = codec;
    }

    /**
     * Creates the default value, a record whose components all have their default values. Refuses a type that contains
     * itself other than in a list, map or optional.
     */
    void makeDefault(Set<RecordCodec> outer) {
        if (defaultValue != null || defaultRefused != null) {
            return;
        }
        if (!outer.add(this)) {
            throw new IllegalArgumentException("record " + shape.type().getName()
                    + ": contains itself (expected: only inside a List, Optional or Map, so that values are finite)");
        }
        Object[] values = new Object[codecs.length];
        try {
            for (int i = 0; i < codecs.length; i++) {
                if (codecs[i] instanceof RecordCodec nested) {
                    nested.makeDefault(outer);
                }
                values[i] = codecs[i].defaultValue();
            }
            defaultValue = construct(values);
        } catch (WireFault refused) {
            defaultRefused = refused.getMessage(); // reported when a message arrives that lacks the record
        }
        outer.remove(this);
    }

    /** Compiles now instead of after frequent use. */
    void compile() {
        RecordSerializerCompiler.compile(shape, codecs).ifPresent(compiled -> form = compiled);
    }

    /** Prevents compilation from now on. */
    void stayGeneric() {
        uses = USES_TO_COMPILE;
    }

    @Override
    public void write(WireOutput out, Object value) {
        int start = out.beginRecord();
        writeComponents(out, value);
        out.endRecord(start);
    }

    @Override
    public Object read(WireInput in) {
        int outer = in.beginRecord();
        Object value = in.atEnd() ? defaultValue() : readComponents(in);
        in.endRecord(outer);
        return value;
    }

    @Override
    public Object defaultValue() {
        if (defaultValue == null) {
            throw WireFault.malformed("absent, and it has no default: " + defaultRefused);
        }
        return defaultValue;
    }

    /** Encodes the components without a length prefix, for a record that fills the rest of its frame. */
    void writeComponents(WireOutput out, Object value) {
        int outer = out.component();
        out.moveTo(0);
        try {
            form().write(out, value);
        } catch (Error error) {
            throw error;
        } catch (Throwable failure) {
            WireFault fault = located(encodingFault(failure), out.component());
            out.moveTo(outer);
            throw fault;
        }
        out.moveTo(outer);
    }

    Object readComponents(WireInput in) {
        int outer = in.component();
        in.moveTo(0);
        Object value;
        try {
            value = form().read(in);
        } catch (Error error) {
            throw error;
        } catch (Throwable failure) {
            WireFault fault =
                    located(failure instanceof WireFault known ? known : constructorFault(failure), in.component());
            in.moveTo(outer);
            throw fault;
        }
        in.moveTo(outer);
        in.skipRest();
        return value;
    }

    private Object construct(Object[] values) {
        try {
            return generic.construct(values);
        } catch (Error error) {
            throw error;
        } catch (Throwable refusal) {
            throw constructorFault(refusal);
        }
    }

    private RecordSerializer form() {
        RecordSerializer current = form;
        if (current == generic && uses < USES_TO_COMPILE && ++uses == USES_TO_COMPILE) {
            compilations.execute(this::compile);
            return form;
        }
        return current;
    }

    /**
     * Adds the location to a fault. If all components were read, the constructor failed, so only the record is named.
     */
    private WireFault located(WireFault fault, int component) {
        return component < codecs.length ? fault.in(shape.type(), shape.name(component)) : fault;
    }

    private WireFault constructorFault(Throwable refusal) {
        return WireFault.malformed(shape.type().getSimpleName() + " refused its content: " + refusal.getMessage());
    }

    private static WireFault encodingFault(Throwable failure) {
        if (failure instanceof WireFault known) {
            return known;
        }
        return WireFault.malformed(
                failure instanceof ClassCastException
                        ? "an element of another type than declared (expected: the declared type)"
                        : "its accessor threw " + failure);
    }
}
