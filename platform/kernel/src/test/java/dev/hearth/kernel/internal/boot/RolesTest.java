package dev.hearth.kernel.internal.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a process is made of, by its role file and its arguments. */
class RolesTest {
    @TempDir
    private Path directory;

    @Test
    void takesFurtherBundlesOnlyWhereTheirArgumentIsGiven() throws IOException {
        Files.writeString(
                directory.resolve("tell.properties"),
                "bundles=scr tell\nbundles.--to=net far\nbundles.s\\:list=net lists\njvm=-Xmx9m\n");
        Roles roles = new Roles(directory);
        assertEquals(List.of("scr", "tell"), roles.read("tell").bundles());
        assertEquals(
                List.of("scr", "tell"),
                roles.read("tell", List.of("tell", "to", "--from")).bundles());
        assertEquals(
                List.of("scr", "tell", "net", "far"),
                roles.read("tell", List.of("tell", "--to", "x", "--to", "y")).bundles());
        assertEquals(
                List.of("scr", "tell", "net", "far", "lists"),
                roles.read("tell", List.of("tell", "--to", "s:list --all")).bundles());
        assertEquals(List.of("-Xmx9m"), roles.read("tell").jvmOptions());
    }
}
