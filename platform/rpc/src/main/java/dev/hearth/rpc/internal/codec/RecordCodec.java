package dev.hearth.rpc.internal.codec;

import java.lang.invoke.MethodHandle;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One record type, component after component. Nested it stands behind its length, so that either side may know more
 * components than the other.
 * <p>Made by {@link CodecCompiler}, which links it before anybody else sees it; immutable from then on.
 */
final class RecordCodec implements ValueCodec {
    private final Class<?> type;
    private final MethodHandle constructor; // (Object[]) -> Object
    private final MethodHandle[] accessors; // (Object) -> Object
    private final String[] names;
    private final ValueCodec[] codecs;
    private @Nullable Object missing;
    private @Nullable String missingRefused;

    RecordCodec(Class<?> type, MethodHandle constructor, MethodHandle[] accessors, String[] names) {
        this.type = type;
        this.constructor = constructor;
        this.accessors = accessors;
        this.names = names;
        this.codecs = new ValueCodec[names.length];
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
            throw new IllegalArgumentException("record " + type.getName()
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

    @Override
    public void write(WireOutput out, Object value) {
        int start = out.beginRecord();
        writeComponents(out, value);
        out.endRecord(start);
    }

    @Override
    public Object read(WireInput in) {
        int outer = in.beginRecord();
        Object value = readComponents(in);
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
        for (int i = 0; i < codecs.length; i++) {
            try {
                out.put(codecs[i], component(i, value));
            } catch (WireFault fault) {
                throw fault.in(type, names[i]);
            }
        }
    }

    Object readComponents(WireInput in) {
        Object[] values = new Object[codecs.length];
        for (int i = 0; i < values.length; i++) {
            try {
                values[i] = in.atEnd() ? codecs[i].missing() : codecs[i].read(in);
            } catch (WireFault fault) {
                throw fault.in(type, names[i]);
            }
        }
        in.skipRest();
        return construct(values);
    }

    private @Nullable Object component(int index, Object value) {
        try {
            return (Object) accessors[index].invokeExact(value);
        } catch (Error error) {
            throw error;
        } catch (Throwable refusal) {
            throw WireFault.malformed("its accessor threw " + refusal);
        }
    }

    private Object construct(Object[] values) {
        try {
            return (Object) constructor.invokeExact(values);
        } catch (Error error) {
            throw error;
        } catch (Throwable refusal) {
            throw WireFault.malformed(type.getSimpleName() + " refused its content: " + refusal.getMessage());
        }
    }
}
