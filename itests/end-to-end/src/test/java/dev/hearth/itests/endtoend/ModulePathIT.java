package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs a program against the api jars as named modules on the module path. */
@Timeout(60)
class ModulePathIT {
    @TempDir
    Path scratch;

    @Test
    void runsAModuleThatRequiresTheApiAndTheSpi() throws Exception {
        Installation installation = Installation.in(scratch);
        Path descriptor = Files.writeString(scratch.resolve("module-info.java"), """
                module probe {
                    requires dev.hearth.api;
                    requires dev.hearth.spi;
                }
                """);
        Path main = Files.writeString(scratch.resolve("Main.java"), """
                package probe;

                public class Main {
                    public static void main(String[] arguments) {
                        System.out.println(dev.hearth.spi.error.ErrorCode.BAD_SETTING.failure("text").code());
                        System.out.println(dev.hearth.spi.cluster.MasterUrl.parse("local[2]").scheme());
                        System.out.println(dev.hearth.api.HearthContext.class.getModule().getName());
                        System.out.println(dev.hearth.spi.error.ErrorCode.class.getModule().isNamed());
                    }
                }
                """);
        String path = modules(installation);
        Path classes = scratch.resolve("probe classes");
        int status = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-d", classes.toString(), "-p", path, descriptor.toString(), main.toString());
        assertEquals(0, status);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        try (Launched launched =
                Launched.start(scratch, List.of(java, "-p", path + ":" + classes, "-m", "probe/probe.Main"))) {
            assertEquals(0, launched.status(), launched::errors);
            assertEquals("BAD_SETTING\nlocal\ndev.hearth.api\ntrue\n", launched.output());
        }
    }

    private static String modules(Installation installation) throws IOException {
        List<String> names = List.of("hearth-api-", "hearth-spi-", "slf4j-api-");
        try (Stream<Path> files = Files.list(installation.home().resolve("lib"))) {
            return files.filter(
                            file -> names.stream().anyMatch(file.getFileName().toString()::startsWith))
                    .map(Path::toString)
                    .sorted()
                    .collect(Collectors.joining(":"));
        }
    }
}
