package example.manager;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsGroup;
import java.util.List;

/** Declares the setting of the flag {@code --example-cores}. Stateless. */
public final class ExampleSettings implements SettingsGroup {
    static final SettingKey<Integer> CORES =
            SettingKey.integer("hearth.example.cores", 1, 1, 99, "Cores of an example executor.");

    @Override
    public String owner() {
        return "example";
    }

    @Override
    public List<SettingKey<?>> keys() {
        return List.of(CORES);
    }
}
