package dev.hearth.kernel.internal.boot;

import java.util.List;

/**
 * What a role file says: the bundles a process of this role is made of, those it has in reserve, the options of its JVM, whether
 * it reads all of its arguments itself, {@code --conf} among them, and whether it follows deploy/.
 */
public record Role(
        String name,
        List<String> bundles,
        List<Reserve> reserves,
        List<String> jvmOptions,
        boolean ownArguments,
        boolean deploy) {
    public Role {
        bundles = List.copyOf(bundles);
        reserves = List.copyOf(reserves);
        jvmOptions = List.copyOf(jvmOptions);
    }
}
