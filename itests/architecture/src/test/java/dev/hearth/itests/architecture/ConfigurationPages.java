package dev.hearth.itests.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsGroup;
import dev.hearth.spi.settings.SettingsSources;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/** The pages generated from the modules' declared settings: one for people, one that processes read. Immutable. */
record ConfigurationPages(SortedMap<String, List<SettingKey<?>>> keysByOwner) {
    private static final String INTRODUCTION = """
            # Configuration
            Made of the declarations in the modules' code; do not edit. After a change of them, run
            `mvn -pl itests/architecture test -Dhearth.docs.write=true`.

            ## Where settings are given
            The first that gives a value wins:

            1. a flag, as in `--executor-memory 2g`
            2. `--conf key=value`
            3. a later `--properties-file`, then an earlier one
            4. `conf/hearth-defaults.conf` of the installation; `HEARTH_CONF_DIR` names another directory than `conf/`
            5. a variable of the environment, where the table below has one

            `bin/submit` takes these flags before the application's jar, all other roles anywhere. Files are in UTF-8 and hold
            lines `key value`, `key=value` or `key: value`; lines that begin with `#` are comments.

            Every `hearth.x` may be written `spark.x`; within one source `hearth.x` wins. An unknown `hearth.x` is warned of, and
            refused with `hearth.conf.strict=true`; an unknown `spark.x` is kept and nothing is said.

            `${hearth.x}` in a value stands for that setting, `${env:X}` for a variable of the environment, `$${x}` for the
            characters `${x}`. Values of keys that contain secret, password, token or credential are never shown, nor are values
            that refer to them.

            Times: `250ms`, `10s`, `2m`, `1h`, `1d`; without a unit, seconds. Sizes: `512m`, `2g`, `1t`; without a unit, mebibytes.

            """;

    private static final ConfigurationPages OF_EVERY_MODULE = read();

    static ConfigurationPages ofEveryModule() {
        return OF_EVERY_MODULE;
    }

    private static ConfigurationPages read() {
        SortedMap<String, List<SettingKey<?>>> keysByOwner = new TreeMap<>();
        for (SettingsGroup group : groups()) {
            List<SettingKey<?>> keys = keysByOwner.computeIfAbsent(group.owner(), owner -> new ArrayList<>());
            keys.addAll(group.keys());
            keys.sort(Comparator.comparing(SettingKey::name));
        }
        return new ConfigurationPages(keysByOwner);
    }

    /** The page for people. */
    String page() {
        StringBuilder page = new StringBuilder(INTRODUCTION);
        page.append("| variable | setting |\n|---|---|\n");
        SettingsSources.variables()
                .forEach((variable, key) -> page.append("| `")
                        .append(variable)
                        .append("` | `")
                        .append(key)
                        .append("` |\n"));
        keysByOwner.forEach((owner, keys) -> {
            page.append("\n## ").append(owner).append('\n');
            page.append("| key | type | default | what it does | rule | alias |\n|---|---|---|---|---|---|\n");
            keys.forEach(key -> page.append(row(key)));
        });
        return page.toString();
    }

    /** The list for processes: key, type, default and owner, in the order of the keys. */
    String list() {
        SortedMap<String, String> lines = new TreeMap<>();
        keysByOwner.forEach((owner, keys) -> keys.forEach(key ->
                lines.put(key.name(), String.join("\t", key.name(), type(key), key.defaultText(), owner) + "\n")));
        return "# key\ttype\tdefault\towner; made of the declarations in the modules' code, as docs/configuration.md is\n"
                + String.join("", lines.values());
    }

    private static String row(SettingKey<?> key) {
        String byDefault = key.defaultText().isEmpty() ? key.absence() : "`" + key.defaultText() + "`";
        return "| `" + key.name() + "` | " + type(key) + " | " + cell(byDefault) + " | " + cell(key.description())
                + " | " + cell(key.rule()) + " | `" + key.name().replaceFirst("^hearth\\.", "spark.") + "` |\n";
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replace("\n", " ");
    }

    private static String type(SettingKey<?> key) {
        return key.kind().name().toLowerCase(Locale.ROOT);
    }

    private static List<SettingsGroup> groups() {
        List<SettingsGroup> groups = new ArrayList<>();
        for (JavaClass type : new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("dev.hearth")) {
            if (type.isAssignableTo(SettingsGroup.class)
                    && !type.isInterface()
                    && type.getModifiers().contains(JavaModifier.PUBLIC)) { // as every component is
                groups.add(make(type.getName()));
            }
        }
        groups.sort(Comparator.comparing(group -> group.getClass().getName()));
        return groups;
    }

    private static SettingsGroup make(String type) {
        try {
            return Class.forName(type)
                    .asSubclass(SettingsGroup.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException failure) {
            throw new LinkageError(
                    type + ": cannot be made (expected: a public class with a constructor without arguments)", failure);
        }
    }
}
