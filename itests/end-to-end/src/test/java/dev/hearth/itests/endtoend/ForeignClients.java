package dev.hearth.itests.endtoend;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Unchanged clients of Spark's masters and launchers, as processes. Their jars are copied with {@code -Pfield} alone. */
final class ForeignClients {
    /** The steps of Spark's script of the same name: one JVM prints the command of the other one. */
    private static final String SPARK_CLASS = """
            #!/bin/bash
            export SPARK_HOME="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
            export SPARK_SCALA_VERSION=2.13
            JAVA="${JAVA_HOME:+$JAVA_HOME/bin/}java"
            { IFS= read -r -d $'\\n' _; mapfile -d '' CMD; } \\
              < <("$JAVA" -Xmx128m -cp "$SPARK_HOME/jars/*" org.apache.spark.launcher.Main "$@")
            last=$((${#CMD[@]} - 1))
            [ "$last" -ge 0 ] || exit 1
            [[ ${CMD[$last]} != 0 ]] || unset "CMD[$last]"
            exec "${CMD[@]}"
            """;

    private static final String LOG = """
            rootLogger.level = info
            rootLogger.appenderRef.stderr.ref = stderr
            appender.stderr.type = Console
            appender.stderr.name = stderr
            appender.stderr.target = SYSTEM_ERR
            appender.stderr.layout.type = PatternLayout
            appender.stderr.layout.pattern = %p %c{1}: %m%n%ex
            # spark-submit raises the level of the root for --status and --kill
            logger.rest.name = org.apache.spark.deploy.rest.RestSubmissionClient
            logger.rest.level = info
            """;

    private final Path scratch;
    private final Path spark;

    private ForeignClients(Path scratch, Path spark) {
        this.scratch = scratch;
        this.spark = spark;
    }

    /** Makes a home of Spark in {@code scratch}, with the jars that Maven has copied. */
    static ForeignClients in(Path scratch) throws IOException {
        Path jars = jars();
        try (Stream<Path> core = Files.list(jars)) {
            if (core.noneMatch(jar -> jar.getFileName().toString().startsWith("spark-core_"))) {
                throw new AssertionError("foreign clients: no jar of Spark in " + jars
                        + " (expected: those that -Pfield copies); run the module itests/field before");
            }
        }
        Path spark = scratch.resolve("spark-home");
        Files.createDirectories(spark.resolve("bin"));
        Files.createDirectories(spark.resolve("conf"));
        Files.createSymbolicLink(spark.resolve("jars"), jars);
        Files.writeString(spark.resolve("conf").resolve("log4j2.properties"), LOG);
        script(spark.resolve("bin").resolve("spark-class"), SPARK_CLASS);
        script(
                spark.resolve("bin").resolve("spark-submit"),
                "#!/bin/bash\nexec \"$(dirname \"${BASH_SOURCE[0]}\")/spark-class\""
                        + " org.apache.spark.deploy.SparkSubmit \"$@\"\n");
        return new ForeignClients(scratch, spark);
    }

    private static void script(Path file, String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Path jars() {
        return path("hearth.field.jars").resolve("jars");
    }

    private static Path path(String property) {
        return Path.of(Objects.requireNonNull(System.getProperty(property), property))
                .toAbsolutePath()
                .normalize();
    }

    /** Class path with all jars of Spark and of the REST client. */
    static String everything() {
        return jars() + "/*";
    }

    /** Class path with the launcher of an older release of Spark alone. */
    static String olderLauncher() {
        return path("hearth.field.jars").resolve("older") + "/*";
    }

    /** Runs {@code bin/spark-submit} of Spark. */
    Launched sparkSubmit(String... arguments) throws IOException {
        return spark("spark-submit", arguments);
    }

    /** Runs a class of Spark by {@code bin/spark-class}. */
    Launched sparkClass(String... arguments) throws IOException {
        return spark("spark-class", arguments);
    }

    private Launched spark(String script, String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(spark.resolve("bin").resolve(script).toString()));
        command.addAll(List.of(arguments));
        return Launched.start(
                scratch,
                Map.of(
                        "SPARK_LOCAL_IP",
                        "127.0.0.1",
                        "SPARK_WORKER_DIR",
                        scratch.resolve("spark-work").toString()),
                command);
    }

    /** Compiles and runs a program of src/test/foreign-programs. */
    Launched program(String name, String classPath, String... arguments) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(List.of(java, "-Dcds=" + SharedClasses.setting(), "-cp", classPath));
        command.add(path("hearth.foreign.programs").resolve(name + ".java").toString());
        command.addAll(List.of(arguments));
        return Launched.start(scratch, command);
    }
}
