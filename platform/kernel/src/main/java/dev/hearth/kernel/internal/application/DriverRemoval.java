package dev.hearth.kernel.internal.application;

import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/**
 * Removes the database drivers of the class loader it is a class of, when asked for their names. Made anew in the loader of
 * each application that used drivers ({@link LeftOvers}), so it refers to nothing but the JDK.
 */
public final class DriverRemoval implements Supplier<List<String>> {
    @Override
    public List<String> get() {
        ClassLoader own = DriverRemoval.class.getClassLoader();
        List<String> removed = new ArrayList<>();
        for (Driver driver : Collections.list(DriverManager.getDrivers())) {
            if (driver.getClass().getClassLoader() == own) {
                try {
                    DriverManager.deregisterDriver(driver);
                    removed.add(driver.getClass().getName());
                } catch (SQLException | RuntimeException refused) {
                    removed.add(driver.getClass().getName() + ", which refused: " + refused);
                }
            }
        }
        return removed;
    }
}
