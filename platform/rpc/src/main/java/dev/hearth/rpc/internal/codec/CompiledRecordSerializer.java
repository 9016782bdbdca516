package dev.hearth.rpc.internal.codec;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/**
 * The pattern of which {@link RecordSerializerCompiler} defines a hidden copy per record type: the two handles are constants of that
 * copy, so that the JIT sees through them. This class itself is never initialised. A copy dies with its only instance.
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
        } catch (IllegalAccessException impossible) { // a class may see its own data
            throw new IllegalStateException(impossible);
        }
    }
}
