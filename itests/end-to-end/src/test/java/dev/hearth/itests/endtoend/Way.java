package dev.hearth.itests.endtoend;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The ways in which one jar of a program runs: as a plain main with hearth-embedded beside it, and by bin/submit. */
enum Way {
    EMBEDDED {
        @Override
        List<String> command(Programs programs, String main, List<String> arguments) {
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    String.join(File.pathSeparator, programs.jar().toString(), Programs.embedded(), Programs.slf4j()),
                    main));
            command.addAll(arguments);
            return command;
        }
    },
    SUBMIT {
        @Override
        List<String> command(Programs programs, String main, List<String> arguments) {
            List<String> command = new ArrayList<>(List.of(
                    programs.home().resolve("bin/submit").toString(),
                    "--class",
                    main,
                    programs.fatJar().toString()));
            command.addAll(arguments);
            return command;
        }
    };

    abstract List<String> command(Programs programs, String main, List<String> arguments);
}
