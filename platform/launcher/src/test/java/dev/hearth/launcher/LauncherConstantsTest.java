package dev.hearth.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LauncherConstantsTest {
    private static final Path SETTINGS = Path.of("../../distribution/src/main/layout/lib/settings.tsv");

    @Test
    void nameSettingsThatExist() throws Exception {
        Set<String> known = Files.readAllLines(SETTINGS).stream()
                .map(line -> line.split("\t", -1)[0])
                .collect(Collectors.toSet());
        List<String> unknown = new ArrayList<>();
        for (Field constant : LauncherConstants.class.getFields()) {
            String value = (String) constant.get(null);
            if (!known.contains(value) && !value.equals(LauncherConstants.NO_RESOURCE)) {
                unknown.add(constant.getName() + " = " + value);
            }
        }
        assertEquals(List.of(), unknown);
    }
}
