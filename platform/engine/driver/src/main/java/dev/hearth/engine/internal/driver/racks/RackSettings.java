package dev.hearth.engine.internal.driver.racks;

import dev.hearth.spi.cluster.RackResolver;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Where the racks of hosts come from. Read from {@code hearth.net.topology.*}, or else from Hadoop's settings of the
 * same names, which users of Spark write as {@code spark.hadoop.net.topology.*}.
 */
public record RackSettings(Optional<String> script, int scriptHostsMax, Optional<String> table) {
    private static final String SCRIPT_FILE = "net.topology.script.file.name";
    private static final String SCRIPT_HOSTS = "net.topology.script.number.args";
    private static final String TABLE_FILE = "net.topology.table.file.name";
    private static final int SCRIPT_HOSTS_DEFAULT = 100;
    private static final int SCRIPT_HOSTS_MAX = 1_000;

    private static final SettingKey<String> SCRIPT = file(
            Settings.PREFIX + SCRIPT_FILE,
            "The program on the driver's machine that prints the racks of the hosts in its arguments.",
            "Racks are looked up in hearth.net.topology.table.file.name, else by a bundle");
    private static final SettingKey<Integer> SCRIPT_ARGUMENTS = number(
            Settings.PREFIX + SCRIPT_HOSTS, "The most hosts that one call of the script for racks is asked about.");
    private static final SettingKey<String> TABLE = file(
            Settings.PREFIX + TABLE_FILE,
            "The file on the driver's machine with a host and its rack in each line.",
            "Racks are unknown, unless a bundle or the cluster manager names them");
    private static final SettingKey<String> HADOOP_SCRIPT = file(
            Settings.PREFIX + "hadoop." + SCRIPT_FILE,
            "Hadoop's name of hearth.net.topology.script.file.name, which takes precedence.",
            "");
    private static final SettingKey<Integer> HADOOP_SCRIPT_ARGUMENTS = number(
            Settings.PREFIX + "hadoop." + SCRIPT_HOSTS,
            "Hadoop's name of hearth.net.topology.script.number.args, which takes precedence.");
    private static final SettingKey<String> HADOOP_TABLE = file(
            Settings.PREFIX + "hadoop." + TABLE_FILE,
            "Hadoop's name of hearth.net.topology.table.file.name, which takes precedence.",
            "");

    public static final List<SettingKey<?>> KEYS =
            List.of(SCRIPT, SCRIPT_ARGUMENTS, TABLE, HADOOP_SCRIPT, HADOOP_SCRIPT_ARGUMENTS, HADOOP_TABLE);

    private static SettingKey<String> file(String name, String description, String absence) {
        return SettingKey.text(name, "", description)
                .obeying("a path", text -> !text.isBlank())
                .withoutDefault(absence);
    }

    private static SettingKey<Integer> number(String name, String description) {
        return SettingKey.integer(name, SCRIPT_HOSTS_DEFAULT, 1, SCRIPT_HOSTS_MAX, description)
                .withoutDefault(String.valueOf(SCRIPT_HOSTS_DEFAULT));
    }

    public static RackSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        RackSettings read = new RackSettings(
                in.find(SCRIPT).or(() -> in.find(HADOOP_SCRIPT)),
                in.find(SCRIPT_ARGUMENTS)
                        .or(() -> in.find(HADOOP_SCRIPT_ARGUMENTS))
                        .orElse(SCRIPT_HOSTS_DEFAULT),
                in.find(TABLE).or(() -> in.find(HADOOP_TABLE)));
        in.finish();
        return read;
    }

    /** The source of racks: the script, else the table, else what {@code services} returns at the time of a look-up. */
    public Supplier<Optional<RackResolver>> resolver(Supplier<Optional<RackResolver>> services) {
        Optional<RackResolver> configured = script.<RackResolver>map(
                        path -> new ScriptRackResolver(Path.of(path), scriptHostsMax))
                .or(() -> table.map(path -> new TableRackResolver(Path.of(path))));
        return configured.isPresent() ? () -> configured : services;
    }
}
