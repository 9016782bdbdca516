package dev.hearth.rpc.internal.codec;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/**
 * Serializer of one record type that the JIT can inline. {@link RecordSerializerCompiler} uses this class as a
 * template: per record type, it defines a hidden class in which the two method handles are constants. This class itself
 * is never initialised. A hidden class is unloaded together with its only instance.
 */
final class CompiledRecordSerializer implements RecordSerializer {
    static final int WRITER = 0;
    static final int READER = 1;

    private static final MethodHandle WRITE = handle(WRITER); // (WireOutput, Object) -> void
    private static final MethodHandle READ = handle(READER); // (WireInput) -> Object

    @Override
    public void write(WireOutput out, Object value) throws Throwable {
        WRITE.invokeExact(out, value);
    }

    @Override
    public Object read(WireInput in) throws Throwable {
        return (Object) READ.invokeExact(in);
    }

    private static MethodHandle handle(int index) {
        try {
            return MethodHandles.classDataAt(MethodHandles.lookup(), "_", MethodHandle.class, index);
        } catch (IllegalAccessException impossible) { // cannot happen: a class may always read its own class data
            throw new IllegalStateException(impossible);
        }
    }
}
