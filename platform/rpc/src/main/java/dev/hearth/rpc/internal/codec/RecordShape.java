package dev.hearth.rpc.internal.codec;

import java.lang.invoke.MethodHandle;
import java.util.List;

/** A record type as reflection shows it: how to build it, and how to read its components. */
record RecordShape(Class<?> type, MethodHandle constructor, List<MethodHandle> accessors, List<String> names) {
    int components() {
        return names.size();
    }
}
