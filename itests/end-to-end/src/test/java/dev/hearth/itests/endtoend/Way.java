package dev.hearth.itests.endtoend;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The ways to run one jar of a program: as a plain main with hearth-embedded on the class path, and by bin/submit, in
 * one process or on executors in separate processes. Such a program takes its master from its arguments.
 */
enum Way {
    EMBEDDED {
        @Override
        List<String> command(Programs programs, List<String> javaOptions, String main, List<String> arguments) {
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(QuickCompilation.javaOptions());
            command.addAll(javaOptions);
            command.addAll(List.of(
                    "-cp",
                    String.join(File.pathSeparator, programs.jar().toString(), Programs.embedded(), Programs.slf4j()),
                    main));
            command.addAll(arguments);
            return command;
        }
    },
    SUBMIT {
        @Override
        List<String> command(Programs programs, List<String> javaOptions, String main, List<String> arguments) {
            return submit(programs, javaOptions, List.of(), main, arguments);
        }
    },
    CLUSTER {
        @Override
        List<String> command(Programs programs, List<String> javaOptions, String main, List<String> arguments) {
            String master = "local-cluster[2,1,1024]";
            Path work = programs.home().resolveSibling("work of executors");
            List<String> flags = List.of("--master", master, "--conf", "hearth.localCluster.dir=" + work);
            List<String> all = new ArrayList<>(arguments);
            all.add("hearth.master=" + master);
            return submit(programs, javaOptions, flags, main, all);
        }
    };

    /** The ways that run in one process. */
    static final List<Way> LOCAL = List.of(EMBEDDED, SUBMIT);

    List<String> command(Programs programs, String main, List<String> arguments) {
        return command(programs, List.of(), main, arguments);
    }

    /** The command with further JVM options, which hold no spaces. */
    abstract List<String> command(Programs programs, List<String> javaOptions, String main, List<String> arguments);

    private static List<String> submit(
            Programs programs, List<String> javaOptions, List<String> flags, String main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(programs.home().resolve("bin/submit").toString());
        if (!javaOptions.isEmpty()) {
            command.addAll(List.of("--driver-java-options", String.join(" ", javaOptions)));
        }
        command.addAll(QuickCompilation.flags());
        command.addAll(flags);
        command.addAll(List.of("--class", main, programs.fatJar().toString()));
        command.addAll(arguments);
        return command;
    }
}
