package dev.hearth.rpc.internal.codec;

import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One record type, component after component. Nested it stands behind its length, so that either side may know more
 * components than the other. Used a lot it gets a compiled form; threads that race there may lose count or compile twice,
 * which does no harm.
 * <p>Made by {@link CodecCompiler}, which links it before anybody else sees it. Any thread may use it.
 */
final class RecordCodec implements ValueCodec {
    /** How often a record is written or read before it is worth milliseconds of compiling; measured in ADR 0011. */
    static final int USES_TO_COMPILE = 100_000;

    private final RecordAccessor shape;
    private final ValueCodec[] codecs;
    private final GenericRecordSerializer generic;
    private final Executor compilations;
    private volatile RecordSerializer form;
    private int uses; // of the generic form
    private @Nullable Object missing;
    private @Nullable String missingRefused;

    RecordCodec(RecordAccessor shape, int components, Executor compilations) {
        this.shape = shape;
        this.codecs = new ValueCodec[components];
        this.generic = new GenericRecordSerializer(shape, codecs);
        this.form = generic;
        this.compilations = compilations;
    }

    /** Sets how a component is written; apart from the constructor because records may hold lists of themselves. */
    void link(int component, ValueCodec codec) {
        codecs[component] = codec;
    }

    /** Makes the record whose components are all missing; refuses a type that holds itself without a container between. */
    void makeMissing(Set<RecordCodec> outer) {
        if (missing != null || missingRefused != null) {
            return;
        }
        if (!outer.add(this)) {
            throw new IllegalArgumentException("record " + shape.type().getName()
                    + ": holds itself (expected: only in a List, Optional or Map, or there is no end)");
        }
        Object[] values = new Object[codecs.length];
        try {
            for (int i = 0; i < codecs.length; i++) {
                if (codecs[i] instanceof RecordCodec nested) {
                    nested.makeMissing(outer);
                }
                values[i] = codecs[i].missing();
            }
            missing = construct(values);
        } catch (WireFault refused) {
            missingRefused = refused.getMessage(); // said when a message comes that lacks it
        }
        outer.remove(this);
    }

    /** Compiles now what else is compiled when it is used a lot. */
    void compile() {
        RecordSerializerCompiler.compile(shape, codecs).ifPresent(compiled -> form = compiled);
    }

    /** Never compiles from now on. */
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
        Object value = in.atEnd() ? missing() : readComponents(in);
        in.endRecord(outer);
        return value;
    }

    @Override
    public Object missing() {
        if (missing == null) {
            throw WireFault.malformed("missing, and it cannot be: " + missingRefused);
        }
        return missing;
    }

    /** The components alone, for a record that fills the rest of its frame. */
    void writeComponents(WireOutput out, Object value) {
        int outer = out.component();
        out.moveTo(0);
        try {
            form().write(out, value);
        } catch (Error error) {
            throw error;
        } catch (Throwable failure) {
            WireFault fault = located(unwritten(failure), out.component());
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
            WireFault fault = located(failure instanceof WireFault known ? known : refused(failure), in.component());
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
            throw refused(refusal);
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

    /** Says where; behind the last component it was the constructor, and then the record itself is the place. */
    private WireFault located(WireFault fault, int component) {
        return component < codecs.length ? fault.in(shape.type(), shape.name(component)) : fault;
    }

    private WireFault refused(Throwable refusal) {
        return WireFault.malformed(shape.type().getSimpleName() + " refused its content: " + refusal.getMessage());
    }

    private static WireFault unwritten(Throwable failure) {
        if (failure instanceof WireFault known) {
            return known;
        }
        return WireFault.malformed(
                failure instanceof ClassCastException
                        ? "an element of another type than declared (expected: the declared type)"
                        : "its accessor threw " + failure);
    }
}
