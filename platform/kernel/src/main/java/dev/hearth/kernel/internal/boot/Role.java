package dev.hearth.kernel.internal.boot;

import java.util.List;

/** What a role file says: the bundles a process of this role is made of, and the options of its JVM. */
public record Role(String name, List<String> bundles, List<String> jvmOptions) {
    public Role {
        bundles = List.copyOf(bundles);
        jvmOptions = List.copyOf(jvmOptions);
    }
}
