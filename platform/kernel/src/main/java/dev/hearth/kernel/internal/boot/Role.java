package dev.hearth.kernel.internal.boot;

import java.util.List;

/**
 * What a role file says: the bundles a process of this role is made of, the options of its JVM, whether it reads all
 * of its arguments itself, {@code --conf} among them, and whether it follows deploy/.
 */
public record Role(String name, List<String> bundles, List<String> jvmOptions, boolean ownArguments, boolean deploy) {
    public Role {
        bundles = List.copyOf(bundles);
        jvmOptions = List.copyOf(jvmOptions);
    }
}
