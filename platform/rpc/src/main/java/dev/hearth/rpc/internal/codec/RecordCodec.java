package dev.hearth.rpc.internal.codec;

import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Codec of one record type: its components in order. A nested record is prefixed with its length, so that sender and
 * receiver may know different numbers of components. A frequently used record gets a compiled serializer. Racing
 * threads may miscount uses or compile twice, which is harmless.
 *
 * <p>{@link CodecCompiler} creates and links it before other threads see it. Thread-safe.
 */
final class RecordCodec implements ValueCodec {
    /**
     * Number of encoded or decoded records after which the serializer of their type is compiled. Compilation takes
     * milliseconds, so it must pay off; measured in ADR 0011.
     */
    static final int USES_TO_COMPILE = 100_000;

    private final RecordAccessor shape;
    private final ValueCodec[] codecs;
    private final GenericRecordSerializer generic;
    private final Executor compilations;
    private volatile RecordSerializer form;
    private int uses; // number of uses of the generic serializer
    private @Nullable Object defaultValue;
    private @Nullable String defaultRefused;

    RecordCodec(RecordAccessor shape, int components, Executor compilations) {
        this.shape = shape;
        this.codecs = new ValueCodec[components];
        this.generic = new GenericRecordSerializer(shape, codecs);
        this.form = generic;
        this.compilations = compilations;
    }

    /**
     * Sets the codec of a component. Codecs are set after construction, because a record may contain a list of its own
     * type.
     */
    void link(int component, ValueCodec codec) {
        codecs[component] = codec;
    }

    /**
     * Creates the default value, which replaces a component that an older sender omits. It is a record whose components
     * all have their default values. Refuses a type that contains itself other than in a list, map or optional.
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
            // ignored here: the failure is reported when a message arrives that lacks the record
            defaultRefused = refused.getMessage();
        }
        outer.remove(this);
    }

    /** Compiles the serializer now, instead of after {@link #USES_TO_COMPILE} uses. */
    void compile() {
        RecordSerializerCompiler.compile(shape, codecs).ifPresent(compiled -> form = compiled);
    }

    /** Prevents compilation from now on, so that the generic and the compiled serializer can be compared. */
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

    /** Encodes the components without a length prefix, which a record at the end of a frame does not need. */
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
     * Adds this record and the component with index {@code component} to the location of a fault. With an index beyond
     * the last component, the record's constructor has failed, and nothing is added.
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
