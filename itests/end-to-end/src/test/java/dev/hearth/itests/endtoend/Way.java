package dev.hearth.itests.endtoend;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The ways in which one jar of a program runs: as a plain main with hearth-embedded beside it, and by bin/submit. */
enum Way {
    EMBEDDED {
        @Override
        List<String> command(Programs programs, List<String> javaOptions, String main, List<String> arguments) {
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
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
            List<String> command = new ArrayList<>();
            command.add(programs.home().resolve("bin/submit").toString());
            if (!javaOptions.isEmpty()) {
                command.addAll(List.of("--driver-java-options", String.join(" ", javaOptions)));
            }
            command.addAll(List.of("--class", main, programs.fatJar().toString()));
            command.addAll(arguments);
            return command;
        }
    };

    List<String> command(Programs programs, String main, List<String> arguments) {
        return command(programs, List.of(), main, arguments);
    }

    /** With options of the JVM that hold no spaces. */
    abstract List<String> command(Programs programs, List<String> javaOptions, String main, List<String> arguments);
}
